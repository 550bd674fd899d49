/** Highlights: the tags are made anew for each search, so that no document can hold them. */

export interface Tags {
  preTag: string;
  postTag: string;
}

export interface Piece {
  text: string;
  marked: boolean;
}

export function freshTags(): Tags {
  const name = crypto.randomUUID().slice(0, 8);
  return { preTag: `\ue000${name}\ue001`, postTag: `\ue001${name}\ue000` };
}

/** A fragment's text in pieces. A tag without its other half marks nothing more than what is left. */
export function pieces(fragment: string, { preTag, postTag }: Tags): Piece[] {
  const out: Piece[] = [];
  const add = (text: string, marked: boolean) => {
    if (text !== "") out.push({ text, marked });
  };
  for (const [i, part] of fragment.split(preTag).entries()) {
    if (i === 0) {
      add(part, false);
      continue;
    }
    const end = part.indexOf(postTag);
    if (end < 0) add(part, true);
    else {
      add(part.slice(0, end), true);
      add(part.slice(end + postTag.length), false);
    }
  }
  return out;
}
