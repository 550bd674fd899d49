/** terms_set and wrapper. */

const base64 = (value: unknown) => btoa(JSON.stringify(value));

export function setQueries(): object[] {
  const queries: object[] = [];
  for (const field of ["k", "t", "n", "zz", "d"]) {
    for (const minimum_should_match_field of ["m", "n", "f", "zz", "d"]) {
      const terms = field === "n" ? [1, 2] : field === "d" ? ["2024-01-11"] : ["quick", "fox", "quick", "brown"];
      queries.push({ terms_set: { [field]: { terms, minimum_should_match_field } } });
    }
  }
  for (const options of [
    ...[1, "2", "-1", "50%", "x"].map((minimum_should_match) => ({ minimum_should_match })),
    ...[{}, { zz: 1 }, { zz: [] }, { minimum_should_match_field: null }, { minimum_should_match_field: 5 }],
    ...[{ terms: [] }, { terms: "a" }, { terms: [null] }, { terms: [["a"]] }].map((terms) => ({
      ...terms,
      minimum_should_match: 1,
    })),
    { minimum_should_match_field: "m", minimum_should_match: 1 },
    { minimum_should_match_field: "m", boost: 2 },
  ]) {
    queries.push({ terms_set: { t: { terms: ["quick", "fox", "lazy"], ...options } } });
  }
  queries.push({ terms_set: {} }, { terms_set: { k: "a" } }, { terms_set: { k: null } });
  queries.push({
    bool: {
      must: { terms_set: { t: { terms: ["fox", "quick"], minimum_should_match: 2 } } },
      should: [{ match: { t: "lazy" } }],
    },
  });
  for (const query of [{ match_all: {} }, { term: { k: { value: "quick", boost: 3 } } }, { xx: {} }, {}, []]) {
    queries.push({ wrapper: { query: base64(query) } });
  }
  queries.push({ wrapper: {} }, { wrapper: { query: "" } }, { wrapper: { zz: "e30=" } });
  queries.push({ wrapper: { query: base64({ match_all: {} }), boost: 2 } });
  return queries;
}
