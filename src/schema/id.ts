/** A random id (UUID, version 4). */
export function randomId(): string {
  return globalThis.crypto.randomUUID();
}
