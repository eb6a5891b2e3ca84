import { asExpiry, digitsOf, expiryOf, grouped, isCardNumber, isPast } from "./card-number.js";

const wanted = {
  number: {
    id: "card-number",
    format: (text) => grouped(digitsOf(text, 19)),
    fault: (text) => (isCardNumber(digitsOf(text, 19)) ? undefined : "Your card number is invalid."),
    missing: "Your card number is incomplete.",
    code: "number",
  },
  expiry: {
    id: "card-expiry",
    format: (text) => asExpiry(digitsOf(text, 4)),
    fault: (text) => {
      const expiry = expiryOf(text);
      if (!expiry) return "Your card's expiry date is incomplete.";
      return isPast(expiry, new Date()) ? "Your card's expiry date is in the past." : undefined;
    },
    missing: "Your card's expiry date is incomplete.",
    code: "expiry",
  },
  securityCode: {
    id: "card-code",
    format: (text) => digitsOf(text, 4),
    fault: (text) => (/^\d{3,4}$/.test(text) ? undefined : "Your card's security code is incomplete."),
    missing: "Your card's security code is incomplete.",
    code: "cvc",
  },
};

/** Writes the formatted text and keeps the caret after the same digit. */
function reformat(input, format) {
  const before = input.value.slice(0, input.selectionStart ?? input.value.length).replace(/\D/g, "").length;
  const atEnd = input.selectionStart === input.value.length;
  const text = format(input.value);
  if (text === input.value) return;
  input.value = text;
  let caret = text.length;
  if (!atEnd) {
    caret = 0;
    for (let digits = 0; caret < text.length && digits < before; caret += 1) {
      if (/\d/.test(text[caret])) digits += 1;
    }
  }
  input.setSelectionRange(caret, caret);
}

/** The three inputs, with formatting, error messages and completeness. */
export function createFields({ onChange, onFocus, onBlur }) {
  const fields = Object.values(wanted).map((field) => ({
    ...field,
    input: document.getElementById(field.id),
    error: document.getElementById(`${field.id}-error`),
  }));

  const faultOf = ({ input, fault, missing }) => (input.value === "" ? missing : fault(input.value));

  const explain = (field, text) => {
    field.error.textContent = text ?? "";
    if (text) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
  };

  const report = () =>
    onChange({
      empty: fields.every(({ input }) => input.value === ""),
      complete: fields.every((field) => faultOf(field) === undefined),
    });

  for (const field of fields) {
    field.input.addEventListener("input", (event) => {
      // Deleting the separator must not restore it.
      if (!event.inputType?.startsWith("delete")) reformat(field.input, field.format);
      if (field.error.textContent) explain(field, faultOf(field));
      report();
    });
    field.input.addEventListener("focus", onFocus);
    field.input.addEventListener("blur", () => {
      if (field.input.value !== "") explain(field, faultOf(field));
      onBlur();
    });
  }

  const [number, expiry, securityCode] = fields;

  return {
    focus: () => number.input.focus(),
    clear: () => {
      for (const field of fields) {
        field.input.value = "";
        explain(field, undefined);
      }
      report();
    },
    /** The card, or its first error; every invalid field shows its error. */
    read: () => {
      for (const field of fields) explain(field, faultOf(field));
      const wrong = fields.find((field) => faultOf(field) !== undefined);
      if (wrong) {
        wrong.input.focus();
        const code = `${wrong.input.value === "" ? "incomplete" : "invalid"}_${wrong.code}`;
        return { error: { type: "validation_error", code, message: faultOf(wrong) } };
      }
      const { month, year } = expiryOf(expiry.input.value);
      return {
        value: {
          number: digitsOf(number.input.value, 19),
          expiryMonth: month,
          expiryYear: year,
          securityCode: securityCode.input.value,
        },
      };
    },
  };
}
