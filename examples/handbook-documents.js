// The handbook's sections as documents, for the examples beside this file.
import { readdir, readFile } from "node:fs/promises";
import { document } from "huiliu";

/** @param {"zh" | "en"} language */
export async function handbookDocuments(language) {
  const folder = new URL(`handbook/${language}/`, import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".md")).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), "utf8");
      // Without the front matter.
      return document({ id: `${language}/${file}`, text: text.replace(/^---\n.*?\n---\n/s, ""), metadata: { file } });
    }),
  );
}
