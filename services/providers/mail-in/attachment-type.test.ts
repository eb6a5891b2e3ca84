import { describe, expect, test } from "vitest";
import { attachmentName, attachmentTypeOf } from "./attachment-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("A type", () => {
  test.each([
    ["png", "\x89PNG\r\n\x1a\n\0"],
    ["jpeg", "\xff\xd8\xff\xe0"],
    ["gif", "GIF89a\0"],
    ["webp", "RIFF\0\0\0\0WEBPVP8 "],
    ["heic", "\0\0\0\x18ftypheic"],
    ["heic", "\0\0\0\x18ftypmif1"],
    ["pdf", "%PDF-1.7\n\xe2\xe3\0"],
    ["text", "plain\r\n\twords"],
    ["text", "L\xc5\x82"],
    ["text", "<html>"],
  ] as const)("is %s by its first bytes", (type, content) => {
    expect(attachmentTypeOf(bytes(content))).toBe(type);
  });

  test.each([
    ["a program", "MZ\x90\0"],
    ["an archive", "PK\x03\x04\0"],
    ["a document of Word", "\xd0\xcf\x11\xe0\0"],
    ["a film", "\0\0\0\x18ftypmp42"],
    ["a sound", "RIFF\0\0\0\0WAVE"],
    ["a PDF that begins elsewhere", "\0%PDF-1.7"],
  ])("is not taken: %s", (_, content) => {
    expect(attachmentTypeOf(bytes(content))).toBeUndefined();
  });
});

describe("A name", () => {
  test.each([
    ["scan.png", "png", "scan.png"],
    ["photo.JPEG", "jpeg", "photo.JPEG"],
    ["letter.pdf.exe", "pdf", "letter.pdf.exe.pdf"],
    ["page.html", "text", "page.html.txt"],
    ["../../etc/passwd", "text", "etc passwd.txt"],
    ["C:\\Users\\a.pdf", "pdf", "C Users a.pdf"],
    ["a\u202egnp.exe", "png", "a gnp.exe.png"],
    ["line\r\nbreak.gif", "gif", "line break.gif"],
    ["", "heic", "attachment.heic"],
    [null, "jpeg", "attachment.jpg"],
    [`${"x".repeat(300)}.pdf`, "pdf", `${"x".repeat(96)}.pdf`],
  ] as const)("%j of %s is %j", (given, type, name) => {
    expect(attachmentName(given, type)).toBe(name);
  });
});
