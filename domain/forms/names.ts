/** Whether a last name is the end of a full name, and not all of it. */
export const endsWithName = (fullName: string, lastName = ""): boolean =>
  lastName !== "" && fullName.endsWith(` ${lastName}`);

/** The words that last names begin with in lower case. */
const particles =
  "ab|af|al|ap|bin|da|das|de|del|della|den|der|di|do|dos|du|el|ferch|la|las|le|los|te|ten|ter|van|von|zu|zum|zur";

const likelyLastName = new RegExp(`(?:^|\\s)((?:(?:${particles})\\s+)*\\S+)$`, "u");

/** The likely last name of a name without title: its last word, with what belongs before it, as in `van der Berg`. */
export const likelyLastNameIn = (names: string): string => likelyLastName.exec(names)?.[1] ?? "";
