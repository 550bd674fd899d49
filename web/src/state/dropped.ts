/** The files of a drop, those in dropped folders too, each with its path. */
import type { Dropped } from "./uploads.ts";

/** Files of one drop at most. */
const MOST = 5000;

export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  // Entries are to be taken before the first pause: the transfer is emptied afterwards.
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const taken = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const out: Dropped[] = [];
  for (const { entry, file } of taken) {
    if (entry) await collect(entry, out);
    else if (file) out.push({ name: file.name, file });
  }
  return out;
}

export function chosenFiles(files: FileList | null): Dropped[] {
  return [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

async function collect(entry: FileSystemEntry, out: Dropped[]): Promise<void> {
  if (out.length >= MOST || entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    out.push({ name: entry.fullPath.replace(/^\/+/, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, out);
  }
}
