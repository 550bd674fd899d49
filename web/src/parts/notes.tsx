/** What is wrong, what is waited for, what is not there. */
import type { ComponentChildren } from "preact";
import { ApiError } from "../api/http.ts";
import { say } from "../text/index.ts";
import { Icon, type IconName } from "./icon.tsx";

/** What can be done about an error. */
function remedy(error: unknown): string {
  const words = say().errors;
  if (!(error instanceof ApiError)) return words.OTHER;
  const known = (words as Record<string, string>)[error.code];
  if (known !== undefined && error.code !== "title") return known;
  if (error.status === 401) return words.UNAUTHORIZED;
  if (error.status === 403) return words.FORBIDDEN;
  if (error.status === 429 || error.status === 503) return words.TOO_MANY;
  return error.status >= 400 && error.status < 500 ? words.INVALID_ARGUMENT : words.OTHER;
}

export function ErrorNote({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div class="note bad" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{say().errors.title}</strong>
        <p class="said" dir="auto">
          {message}
        </p>
        <p class="soft">{remedy(error)}</p>
        {retry && (
          <button type="button" class="quiet" onClick={retry}>
            {say().retry}
          </button>
        )}
      </div>
    </div>
  );
}

export function Note({ icon = "info", children }: { icon?: IconName; children: ComponentChildren }) {
  return (
    <div class="note">
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

/** Grey lines where text will stand. */
export function Waiting({ lines = 3, label }: { lines?: number; label?: string }) {
  return (
    <div class="waiting" role="status">
      <span class="hidden">{label ?? say().loading}</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class={`bone bone-${i % 3}`} />
      ))}
    </div>
  );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
