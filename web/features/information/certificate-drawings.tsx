import type { ReactNode } from "react";

/** A ruled box of a certificate: place and size in units of the drawing, and what the entry says in it. */
interface Box {
  readonly at: readonly [x: number, y: number];
  readonly size: readonly [width: number, height: number];
  readonly holds: string;
}

interface Drawing {
  readonly title: string;
  readonly size: readonly [width: number, height: number];
  readonly boxes: readonly Box[];
  readonly acceptedBy: string;
}

const full = [360, 240] as const;

const birth: Drawing = {
  title: "Full birth certificate",
  size: full,
  boxes: [
    { at: [14, 48], size: [332, 30], holds: "Date and place of birth" },
    { at: [14, 78], size: [332, 26], holds: "Name and sex" },
    { at: [14, 104], size: [166, 50], holds: "Father or second parent: name, place of birth, occupation" },
    {
      at: [180, 104],
      size: [166, 50],
      holds: "Mother: name, surname before marriage, place of birth, occupation",
    },
    { at: [14, 154], size: [166, 36], holds: "Who registered the birth, and their address" },
    { at: [180, 154], size: [166, 36], holds: "Date of registration, and the registrar" },
  ],
  acceptedBy:
    "The one to have: for a first passport, giving notice of a marriage, a pension, an inheritance or a family tree.",
};

const shortBirth: Drawing = {
  title: "Short birth certificate",
  size: [220, 240],
  boxes: [
    { at: [14, 60], size: [192, 34], holds: "Name" },
    { at: [14, 94], size: [96, 34], holds: "Sex" },
    { at: [110, 94], size: [96, 34], holds: "Date of birth" },
    { at: [14, 128], size: [192, 34], holds: "District in which the birth was registered" },
  ],
  acceptedBy:
    "Leaves out the parents, so offices that ask about them refuse it: the Passport Office, for one. We order full certificates only.",
};

const death: Drawing = {
  title: "Full death certificate",
  size: full,
  boxes: [
    { at: [14, 48], size: [332, 26], holds: "Date and place of death" },
    { at: [14, 74], size: [166, 34], holds: "Name, sex, and surname before marriage" },
    { at: [180, 74], size: [166, 34], holds: "Date and place of birth" },
    { at: [14, 108], size: [332, 28], holds: "Occupation and usual address" },
    { at: [14, 136], size: [332, 30], holds: "Cause of death, and who certified it" },
    { at: [14, 166], size: [166, 28], holds: "Who registered the death, and their address" },
    { at: [180, 166], size: [166, 28], holds: "Date of registration, and the registrar" },
  ],
  acceptedBy:
    "For probate, and for banks, insurers, pension providers and the Land Registry. Most want an original, not a photocopy.",
};

/** What the certificates look like, what each holds, and who accepts it: drawn by us, not copied from real ones. */
export function CertificateDrawings() {
  return (
    <section aria-labelledby="what-you-get">
      <h2 id="what-you-get">What you get</h2>
      <p>
        A certified copy of the entry in the register, on the GRO’s own paper, posted to you by the GRO. It
        counts as an original. These drawings show what is where; the numbers are ours.
      </p>
      <div className="mt-6 grid gap-x-8 gap-y-10 md:grid-cols-2">
        <Certificate {...birth} />
        <Certificate {...shortBirth} />
        <div className="md:col-span-2">
          <Certificate {...death} isWide />
        </div>
      </div>
      <p className="mt-8">
        Older entries hold less. A birth before 1969 does not say where the parents were born; a death before
        then does not give the date or place of birth, only the age.
      </p>
    </section>
  );
}

function Certificate({
  title,
  size: [width, height],
  boxes,
  acceptedBy,
  isWide,
}: Drawing & { isWide?: boolean }) {
  return (
    <figure aria-label={title} className={isWide ? "md:grid md:grid-cols-2 md:gap-x-8" : ""}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        focusable="false"
        className="h-52 w-full rounded-4 border border-hairline bg-surface p-2 sm:h-60"
      >
        <Paper width={width} height={height}>
          {boxes.map((box, index) => (
            <Entry key={box.holds} box={box} number={index + 1} />
          ))}
        </Paper>
      </svg>
      <figcaption className={isWide ? "max-md:mt-3" : "mt-3"}>
        <strong className="font-[600]">{title}</strong>
        <ol className="mt-1 list-decimal pl-6 text-16">
          {boxes.map(({ holds }) => (
            <li key={holds}>{holds}</li>
          ))}
        </ol>
        <p className="mt-2 text-muted">{acceptedBy}</p>
      </figcaption>
    </figure>
  );
}

function Paper({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  const middle = width / 2;
  return (
    <g fill="none" stroke="currentColor">
      <rect
        x="4"
        y="4"
        width={width - 8}
        height={height - 8}
        rx="2"
        className="text-primary"
        strokeWidth="0.8"
      />
      <rect
        x="7"
        y="7"
        width={width - 14}
        height={height - 14}
        rx="1"
        className="text-primary"
        strokeWidth="0.4"
      />
      <path d={`M${middle - 62} 22h124`} className="text-ink" strokeWidth="4" opacity="0.75" />
      <path d={`M${middle - 38} 33h76`} className="text-muted" strokeWidth="2" opacity="0.75" />
      {children}
      <path d={handwriting(18, height - 22, 58)} className="text-ink" strokeWidth="1" />
      <circle
        cx={width - 34}
        cy={height - 26}
        r="13"
        className="text-primary"
        strokeWidth="0.8"
        strokeDasharray="2 1"
      />
      <circle cx={width - 34} cy={height - 26} r="9" className="text-primary" strokeWidth="0.5" />
    </g>
  );
}

function Entry({ box: { at, size }, number }: { box: Box; number: number }) {
  const [x, y] = at;
  const [width, height] = size;
  const lines = height > 40 ? [0.4, 0.75] : [0.62];
  return (
    <>
      <rect x={x} y={y} width={width} height={height} className="text-muted" strokeWidth="0.6" />
      <text
        x={x + 5}
        y={y + 13}
        fill="currentColor"
        stroke="none"
        fontSize="11"
        className="text-primary font-[600]"
      >
        {number}
      </text>
      {lines.map((share, index) => (
        <path
          key={share}
          d={handwriting(x + 20, y + height * share, (width - 34) * (index === 0 ? 0.8 : 0.55))}
          className="text-ink"
          strokeWidth="0.9"
        />
      ))}
    </>
  );
}

/** How far each letter of a made-up word rises; 0 is a space. */
const letters = [6, 2.4, 2.4, 5, 2.4, 2.4, 0, 5.4, 2.4, 2.8, 2.4, 2.4, 5, 2.4, 0];

/** A stroke as of a pen, from a place to the right. */
function handwriting(x: number, y: number, length: number): string {
  const strokes = Array.from({ length: Math.floor(length / 4) }, (_, index) => {
    const rise = letters[index % letters.length] ?? 0;
    return rise === 0 ? "m4 0" : `c.9 ${-rise} 2.7 ${-rise} 2.2 0c.2 1.4 1.4 1 1.8 0`;
  });
  return `M${x} ${y}${strokes.join("")}`;
}
