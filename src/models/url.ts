import { InvalidArgumentError } from "../schema/errors.ts";

/** @throws InvalidArgumentError unless it is an http or https address */
export function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidArgumentError(
    "baseUrl",
    url,
    `baseUrl must be an http or https address, such as http://localhost:11434/v1; got "${url}"`,
  );
}
