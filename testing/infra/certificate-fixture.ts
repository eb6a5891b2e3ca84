import { generateKeyPairSync, sign } from "node:crypto";

/** One value in ASN.1's DER encoding: tag, length, bytes. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body]);
  // The shortest encoding: browsers refuse any other.
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 + length.length), length, body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes);
/** Only years before 2050 are written with two digits. */
const timeBefore2050 = (at: string) => der(0x17, Buffer.from(at));
const timeAfter2050 = (at: string) => der(0x18, Buffer.from(at));
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const subjectAltName = "551d11";
const basicConstraints = "551d13";
const isTrue = der(0x01, Buffer.of(0xff));
const extension = (id: string, value: Uint8Array) => sequence(oid(id), der(0x04, value));

/** The subject's name, which is also the issuer's. */
const nameOf = (words: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(words)))));

/**
 * A self-signed certificate and its key, both in PEM. Created each time, because Node has no function for it, a machine
 * may lack openssl, and a private key does not belong in a repository.
 * @param host its subject, such as `localhost`
 */
export function selfSignedCertificate(host: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    nameOf(host),
    sequence(timeBefore2050("200101000000Z"), timeAfter2050("21200101000000Z")),
    nameOf(host),
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension(subjectAltName, sequence(der(0x82, Buffer.from(host)))),
        extension(basicConstraints, sequence(isTrue)),
      ),
    ),
  );
  const whole = sequence(content, ecdsaWithSha256, bits(sign("sha256", content, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
