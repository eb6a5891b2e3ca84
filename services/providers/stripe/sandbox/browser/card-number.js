/** The digits of an input, up to a limit. */
export const digitsOf = (text, most) => text.replace(/\D/g, "").slice(0, most);

/** A card number in groups of four. */
export const grouped = (digits) => digits.replace(/(\d{4})(?=\d)/g, "$1 ");

/** `1227` as `12 / 27`; a lone `7` means July. */
export function asExpiry(digits) {
  const padded = /^[2-9]/.test(digits) ? `0${digits}`.slice(0, 4) : digits;
  return padded.length > 2 ? `${padded.slice(0, 2)} / ${padded.slice(2)}` : padded;
}

/** The Luhn check: catches a mistyped digit before the bank is asked. */
export function isCardNumber(digits) {
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Month and year of `MM / YY`, undefined for an invalid month. */
export function expiryOf(text) {
  const digits = digitsOf(text, 4);
  const month = Number(digits.slice(0, 2));
  return digits.length === 4 && month >= 1 && month <= 12
    ? { month, year: 2000 + Number(digits.slice(2)) }
    : undefined;
}

/** Whether the month is over. */
export const isPast = ({ month, year }, today) =>
  year * 12 + month < today.getFullYear() * 12 + today.getMonth() + 1;
