/** Stems, stop words and analyzers of single languages: expected values are those of Lucene 9.12. */
import { expect, test } from "vitest";
import { analyzeRequest, createAnalysisRegistry } from "../../../src/engine/analysis/index.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Line {
  token: string;
  position: number;
}
const analyze = (body: JsonObject) => (analyzeRequest(body, { resources }) as unknown as { tokens: Line[] }).tokens;
const terms = (body: JsonObject) =>
  analyze(body)
    .map(({ token }) => token)
    .join(" ");

test.each<[type: string, language: string, text: string, stems: string]>([
  ["snowball", "Arabic", "الكتب المدرسة يكتبون والمعلمين", "كتب مدرس يكتب والمعلم"],
  ["snowball", "Armenian", "գրքերը աշխատողների քաղաքում", "գրքերը աշխատող քաղա"],
  ["snowball", "Danish", "arbejdernes kommunerne virksomheder", "arbejd kommun virksom"],
  ["snowball", "Dutch", "arbeiders lichamelijk mogelijkheden katten", "arbeider licham mogelijk kat"],
  ["snowball", "Finnish", "työntekijöiden taloissa kirjoittaminen", "työntekijö talo kirjoittamin"],
  ["snowball", "French", "continuellement nationalités mangeaient", "continuel national mang"],
  ["snowball", "German", "Arbeiter häuser möglichkeiten aufeinander", "Arbeit haus moglich aufeinand"],
  ["snowball", "Greek", "εργαζομένων βιβλία θάλασσας", "εργαζομεν βιβλ θαλασσ"],
  ["snowball", "Hindi", "लड़कियाँ किताबों जाएगा", "लड़क किताब ज"],
  ["snowball", "Hungarian", "munkavállalóknak házakban könyveket", "munkavállaló ház könyv"],
  ["snowball", "Indonesian", "mempekerjakan berkelanjutan makanannya", "kerja kelanjut makan"],
  ["snowball", "Irish", "bhfear leabharlann gcathracha", "fear leabharlann cathracha"],
  ["snowball", "Italian", "abbandonata propagandistico lavoratori", "abbandon propagandist lavor"],
  ["snowball", "Lithuanian", "darbuotojų namuose knygomis", "darb nam knyg"],
  ["snowball", "Nepali", "केटाहरूले घरबाट", "केटा घरबाट"],
  ["snowball", "Norwegian", "arbeidernes husene virksomheter", "arbeidern hus virksom"],
  ["snowball", "Portuguese", "trabalhadores quilométricas nacionalidades", "trabalh quilométr nacional"],
  ["snowball", "Romanian", "muncitorilor casele frumoasă", "muncit cas frumoas"],
  ["snowball", "Russian", "работников важнейшими книгами", "работник важн книг"],
  ["snowball", "Serbian", "радника knjigama градовима", "radnik knjig gradov"],
  ["snowball", "Spanish", "trabajadores cheques torneados", "trabaj chequ torn"],
  ["snowball", "Swedish", "arbetarna husens möjligheter", "arbet hus möj"],
  ["snowball", "Tamil", "புத்தகங்கள் வீடுகளில்", "புத்தகம் வீடு"],
  ["snowball", "Turkish", "kitapların evlerimizden çalışanlara", "kitap ev çalışan"],
  ["snowball", "English", "generously skis dying national", "generous ski die nation"],
  [
    "stemmer",
    "light_english",
    "running dying flies superiority nationally avoidancy italians",
    "running die flies superior national avoidance italy",
  ],
  ["stemmer", "minimal_english", "flies classes running's foes", "fly classe running' foes"],
  ["stemmer", "possessive_english", "dog's dogs’s dogs", "dog dogs dogs"],
  ["stemmer", "english", "running nationally", "run nation"],
  ["stemmer", "porter2", "generously skis", "generous ski"],
  [
    "stemmer",
    "light_french",
    "chevaux nationales ministères heureuse créatrice modification bateaux",
    "cheval national minist heureu crer modific bateau",
  ],
  ["stemmer", "minimal_french", "chevaux aimées baronnes", "cheval aim baron"],
  ["stemmer", "light_german", "häuser größten arbeitern kindes", "haus großt arbeit kind"],
  ["stemmer", "minimal_german", "häuser freundinnen arbeitern", "haus freundin arbeiter"],
  ["stemmer", "light_italian", "ragazzi amiche università relazioni", "ragazz amic universit relazion"],
  ["stemmer", "light_portuguese", "canções nações professora rapidamente meninas", "canca naca professor rapid menin"],
  ["stemmer", "light_russian", "деньгами новыми осенний", "деньг нов осен"],
  ["stemmer", "light_spanish", "veces intereses canciones países", "vez interes cancion pais"],
  ["stemmer", "light_swedish", "skolorna möjligheten bussarnas", "skol möjlig bussarn"],
])("%s for %s", (type, language, text, stems) => {
  expect(terms({ tokenizer: "whitespace", filter: [{ type, language }], text })).toBe(stems);
});

test.each<[analyzer: string, text: string, tokens: string]>([
  ["armenian", "Աշխատողները ստացան և գրքերը քաղաքում", "աշխատող@0 ստա@1 գրքերը@3 քաղա@4"],
  ["danish", "Arbejderne fik deres løn og var tilfredse", "arbejd@0 fik@1 løn@3 tilfreds@6"],
  [
    "finnish",
    "Työntekijät saivat palkkansa ja olivat tyytyväisiä taloissa",
    "työntekij@0 saiva@1 palk@2 tyytyväis@5 talo@6",
  ],
  ["hungarian", "A munkavállalók megkapták a fizetésüket és könyveket", "munkavállaló@1 megkapta@2 fizetés@4 könyv@6"],
  [
    "irish",
    "An t-uisce agus na hÚdair d’ól tAthair nÉireannach h-Éireann bhfear",
    "uisce@2 húdair@5 ól@6 athair@7 éireann@8 éireann@10 fear@11",
  ],
  ["lithuanian", "Darbuotojai gavo atlyginimą ir buvo patenkinti namuose", "darb@0 gav@1 atlyginim@2 patenk@5 nam@6"],
  ["norwegian", "Arbeiderne fikk lønnen sin og var fornøyde", "arbeidern@0 fikk@1 lønn@2 fornøyd@6"],
  ["romanian", "Muncitorii au primit salariile și erau mulțumiți", "muncit@0 primit@2 salar@3 și@4 erau@5 mulțumiț@6"],
  ["turkish", "İstanbul’daki İŞÇİLER kitapların ve ISPARTA'nın evlerinden", "istanbul@0 işçi@1 kitap@2 ıspar@4 ev@5"],
  [
    "french",
    "Les ministères de l’Éducation n’ont pas annoncé les réformes nationales, aujourd’hui aux chevaux",
    "minist@1 éduc@3 anonc@6 reform@8 national@9 aujourd’hui@10 cheval@12",
  ],
  [
    "german",
    "Die Häuser der größten Städte wurden über Nacht von fleißigen Arbeitern gestrichen, Strasse Grüße",
    "haus@1 grosst@3 stadt@4 wurd@5 nacht@7 fleissig@9 arbeit@10 gestrich@11 strass@12 gruss@13",
  ],
  [
    "spanish",
    "Los trabajadores de las fábricas aprobaron ayer las nuevas condiciones del contrato, veces",
    "trabajador@1 fabric@4 aprobaron@5 ayer@6 nuev@8 condicion@9 contrat@11 vez@12",
  ],
  [
    "italian",
    "All’inizio dell’anno gli studenti hanno consegnato i compiti e le relazioni, ragazzi amiche",
    "iniz@0 anno@1 student@3 consegnat@5 compit@7 relazion@10 ragazz@11 amic@12",
  ],
  [
    "portuguese",
    "As reuniões dos professores não foram canceladas nas regiões, canções fáceis",
    "reunia@1 professor@3 cancelad@6 regia@8 canca@9 facel@10",
  ],
  [
    "dutch",
    "De kinderen fietsen met hun fiets door het dorp en kind ei bromfiets aten eieren",
    "kinder@1 fiets@2 fiets@5 dorp@8 kinder@10 eier@11 bromfiets@12 aten@13 eier@14",
  ],
  [
    "russian",
    "Работники получили отпускные деньги за прошлый месяц и были довольны новыми правилами",
    "работник@0 получ@1 отпускн@2 деньг@3 прошл@5 месяц@6 довольн@9 нов@10 правил@11",
  ],
  [
    "swedish",
    "Barnen och deras föräldrar väntade på bussarna utanför skolorna",
    "barn@0 föräldr@3 vänt@4 buss@6 utanför@7 skol@8",
  ],
])("the %s analyzer", (analyzer, text, tokens) => {
  expect(
    analyze({ analyzer, text })
      .map(({ token, position }) => `${token}@${position}`)
      .join(" "),
  ).toBe(tokens);
});

test("the languages of stemmers in every spelling that Elasticsearch reads", () => {
  const stem = (settings: JsonObject) =>
    terms({ tokenizer: "whitespace", filter: [{ type: "stemmer", ...settings }], text: "nationally" });
  for (const language of ["light_english", "lightEnglish", "LIGHT_ENGLISH", "kstem"])
    expect(stem({ language })).toBe("national");
  expect(stem({ name: "minimalEnglish" })).toBe("nationally");
  expect(stem({})).toBe("nation");
  expect(() => stem({ language: "klingon" })).toThrow("Invalid stemmer class specified: Klingon");
  expect(() => stem({ language: "NEPALI" })).toThrow("Invalid stemmer class specified: NEPALI");
  for (const language of ["lovins", "basque", "czech", "minimal_nynorsk"])
    expect(() => stem({ language })).toThrow("is not supported");
});

test("words that are marked are not stemmed", () => {
  const mark = { type: "keyword_marker", keywords: ["chevaux", "running"] };
  for (const stemmer of ["kstem", "snowball", { type: "stemmer", language: "light_french" }])
    expect(terms({ tokenizer: "whitespace", filter: [mark, stemmer], text: "chevaux running" })).toBe(
      "chevaux running",
    );
  const registry = createAnalysisRegistry(
    { analysis: { analyzer: { fr: { type: "french", stem_exclusion: ["chevaux"], stopwords: "_none_" } } } },
    resources,
  );
  const context = { resources, index: { analysis: registry, field: () => undefined } };
  const { tokens } = analyzeRequest({ analyzer: "fr", text: "les chevaux nationaux" }, context) as unknown as {
    tokens: Line[];
  };
  expect(tokens.map(({ token }) => token)).toEqual(["les", "chevaux", "national"]);
});

test("lists of stop words have names; a name that is none is a word", () => {
  const stop = (stopwords: string | string[], text: string) =>
    terms({ tokenizer: "whitespace", filter: [{ type: "stop", stopwords }], text });
  expect(stop("_french_", "le chat et la souris")).toBe("chat souris");
  expect(stop(["_german_", "maus"], "die katze und maus")).toBe("katze");
  expect(stop("_none_", "the _none_")).toBe("the _none_");
  expect(stop(["_none_"], "the _none_")).toBe("the");
  expect(stop("_cjk_", "the _cjk_ www")).toBe("the www");
});

test("lower case of languages", () => {
  const lower = (language: string, text: string) =>
    terms({ tokenizer: "whitespace", filter: [{ type: "lowercase", language }], text });
  expect(lower("turkish", "ISPARTA İSTANBUL I\u0307\u0316")).toBe("ısparta istanbul i\u0316");
  expect(lower("irish", "nAthair tÁn NA")).toBe("n-athair t-án na");
  // A letter that is a pair stays, in this language only.
  expect([lower("irish", "A𐐏"), lower("greek", "A𐐏")]).toEqual(["a𐐏", "a𐐷"]);
  expect(lower("greek", "ΆΣ ὈΔΟΣ")).toBe("ασ ὀδοσ");
  expect(() => lower("french", "A")).toThrow("language [french] not support for lower case");
});
