/** IP addresses as Elasticsearch reads and prints them: sixteen bytes each, kept as 32 hexadecimal digits, whose order is the addresses'. */
import { EngineError, illegalArgument } from "../errors.ts";

const V4_PREFIX = "00000000000000000000ffff";

export const LEAST_ADDRESS = "0".repeat(32);
export const GREATEST_ADDRESS = "f".repeat(32);

/** @throws illegal_argument_exception for what is no address */
export function parseAddress(text: string): string {
  const digits = addressDigits(text);
  if (digits === undefined) throw illegalArgument(`'${text}' is not an IP string literal.`);
  return digits;
}

function addressDigits(text: string): string | undefined {
  if (!text.includes(":")) {
    const v4 = v4Digits(text);
    return v4 === undefined ? undefined : V4_PREFIX + v4;
  }
  // A scope names an interface of the machine, and is no part of the address.
  const scope = text.indexOf("%");
  let plain = scope < 0 ? text : text.slice(0, scope);
  if (plain.includes(".")) {
    const last = plain.lastIndexOf(":") + 1;
    const v4 = v4Digits(plain.slice(last));
    if (v4 === undefined) return undefined;
    plain = `${plain.slice(0, last)}${v4.slice(0, 4)}:${v4.slice(4)}`;
  }
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (groups.flat().some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const given = groups.flat().length;
  if (halves.length === 1 ? given !== 8 : given > 7) return undefined;
  const missing = Array.from({ length: halves.length === 1 ? 0 : 8 - given }, () => "0");
  const all = halves.length === 1 ? groups[0] : [...groups[0], ...missing, ...groups[1]];
  return all.map((group) => group.toLowerCase().padStart(4, "0")).join("");
}

function v4Digits(text: string): string | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  // Leading zeros might mean octal numbers.
  if (parts.some((part) => !/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255)) return undefined;
  return parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
}

const isV4 = (digits: string) => digits.startsWith(V4_PREFIX);

/** The addresses of a network such as `10.0.0.0/8`. @throws illegal_argument_exception */
export function parseNetwork(text: string): { low: string; high: string } {
  // Java's split drops empty parts at the end.
  const parts = text.replace(/\/+$/, "").split("/");
  if (parts.length !== 2) throw illegalArgument(`Expected [ip/prefix] but was [${text}]`);
  const [address, prefix] = parts;
  const digits = parseAddress(address);
  const v4 = isV4(digits);
  if (v4 && address.includes(":")) {
    throw illegalArgument(
      `CIDR notation is not allowed with IPv6-mapped IPv4 address [${address} as it introduces ambiguity as to whether the prefix length should be interpreted as a v4 prefix length or a v6 prefix length`,
    );
  }
  if (!/^[-+]?\d+$/.test(prefix)) throw new EngineError("number_format_exception", `For input string: "${prefix}"`);
  const length = Number(prefix);
  if (length < 0 || length > (v4 ? 32 : 128)) {
    throw illegalArgument(
      `Illegal prefix length [${length}] in [${text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges`,
    );
  }
  const free = (1n << BigInt((v4 ? 32 : 128) - length)) - 1n;
  const value = BigInt(`0x${digits}`);
  return { low: toDigits(value & ~free), high: toDigits(value | free) };
}

const toDigits = (value: bigint) => value.toString(16).padStart(32, "0");

/** The address after (or before) another one; the last one's next is itself. */
export function stepAddress(digits: string, step: 1n | -1n): string {
  if (digits === (step > 0n ? GREATEST_ADDRESS : LEAST_ADDRESS)) return digits;
  return toDigits(BigInt(`0x${digits}`) + step);
}

/** As InetAddresses.toAddrString prints it: the longest run of zero groups shortened, IPv4 where it is one. */
export function formatAddress(digits: string): string {
  if (isV4(digits)) return [24, 26, 28, 30].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join(".");
  const groups = Array.from({ length: 8 }, (_, at) => Number.parseInt(digits.slice(4 * at, 4 * at + 4), 16));
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && groups[end] === 0) end++;
    if (end - at > length) [start, length] = [at, end - at];
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}
