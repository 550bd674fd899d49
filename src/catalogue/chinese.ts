/**
 * Chinese for what strategies say of themselves, by the English text: titles, what they are good for, notes, options. The documentation and the
 * playground are made with it; where a text changes, neither can be made until its Chinese is here too.
 */

export const CHINESE: Readonly<Record<string, string>> = {
  // hybrid, bm25, dense
  "words and meaning, weighted as the collection was measured": "按词和按语义，权重由集合实测而来",
  "anything; the default": "什么都行；默认策略",
  "How it fuses and how its weights were measured: [search-and-fusion.md](search-and-fusion.md).":
    "怎样融合、权重怎样测得，见[检索与融合](search-and-fusion.md)。",
  "what words and meaning count, such as 0.7,0.3; the collection's own where nothing is said":
    "词和语义各占多少，例如 0.7,0.3；不写则用集合自己的",
  "hits of each list that count; never fewer than topK": "每份名单取多少条；不少于 topK",
  "words, by BM25": "按词，用 BM25",
  "exact words: names, codes, versions, terms of art": "要原词的：名称、编号、版本号、术语",
  "k1 and b are the index's: 1.2 and 0.75 until `bm25-tuned` (`setBm25`) changes them.":
    "k1 和 b 属于索引：1.2 和 0.75，直到用 `bm25-tuned`（`setBm25`）改动。",
  "whether one word is enough, or all must occur": "有一个词就行，还是全都要有",
  'how many words must occur, such as "2" or "75%"': '至少要有多少个词，例如 "2" 或 "75%"',
  "meaning, by the nearest vectors": "按语义，取最近的向量",
  "other words for the same thing, whole questions, questions in another language than the text":
    "换了说法的、完整的问句、与文本语言不同的问题",
  "The cutoff is of the raw similarity, not of the score that hits show: for cosine and dot_product the cosine, -1 to 1, where hits show (1 + cosine) / 2; for max_inner_product the product itself; for l2_norm the largest distance, where hits show 1 / (1 + distance²).":
    "阈值针对原始相似度，不是结果显示的得分：cosine 和 dot_product 是余弦本身（-1 到 1，结果显示 (1 + 余弦) / 2），max_inner_product 是内积本身，l2_norm 是最大距离（结果显示 1 / (1 + 距离²)）。",
  "Vectors of zeros are not written: a passage that the embedding knows nothing of is found by words alone, and never with a score of 0.":
    "零向量不写入：向量模型一无所知的段落只能按词找到，不会以 0 分出现。",
  "the least raw similarity: of cosine and dot product the cosine itself (-1 to 1; 0.3 is a usual value), of maximum inner product the product, of l2_norm the largest distance":
    "最低的原始相似度：cosine 和 dot_product 为余弦本身（-1 到 1，常用 0.3），max_inner_product 为内积，l2_norm 为最大距离",
  "vectors that the graph looks at; ten times topK where nothing is said": "图检索查看多少个向量；不写则为 topK 的十倍",
  // rrf, weighted, fusion
  "ranks in several lists, fused by their reciprocals": "几份名单里的名次，取倒数相加",
  "lists whose scores cannot be compared; nothing to tune": "得分无法比较的名单；没有什么要调的",
  "Ranks count from 0, as in LlamaIndex. It is computed by Huiliu: on a cluster no licence is needed. Equal scores stay in the order in which the lists, read one after the other, first had them.":
    "名次从 0 数起，与 LlamaIndex 相同。由汇流计算，在集群上也不需要许可。得分相同的，按依次读各份名单时最先出现的顺序。",
  "the lists that are fused, by strategy": "参与融合的名单，写策略名",
  "how little the first ranks stand out: 1 / (k + rank), rank from 0":
    "越大，靠前的名次越不突出：1 / (k + 名次)，名次从 0 数起",
  "scores of several lists, made comparable, weighted and added": "几份名单的得分，先统一尺度，再加权相加",
  "when one list deserves more trust than another, and you have measured it": "一份名单比另一份更可信，而且你测过",
  'Scores of BM25 have no upper bound and those of vectors end at 1: added raw (`normalize: "none"`), BM25 decides nearly alone, and a warning says so.':
    'BM25 的得分没有上限，向量的到 1 为止：直接相加（`normalize: "none"`）几乎等于只看 BM25，会有警告。',
  "what each list counts, such as bm25=0.3,dense=0.7; the collection's own where nothing is said":
    "每份名单占多少，例如 bm25=0.3,dense=0.7；不写则用集合自己的",
  "how scores become comparable: by the list's smallest and largest, by mean and deviation; none adds raw scores of different scales":
    "怎样统一尺度：按名单的最小和最大，或按均值和标准差；none 直接相加尺度不同的得分",
  "several strategies and several wordings of the question, fused": "几种策略、几种问法，一起融合",
  "short or unclear questions, with a language model that writes others like them":
    "短的或含糊的问题，由语言模型多写几种问法",
  "A language model is asked only with `numQueries` above 1. Its lists are read however they are numbered, quoted or bulleted; all retrievers are asked at once.":
    "`numQueries` 大于 1 才会问语言模型。它的列表不管怎样编号、加引号或加符号都读得懂；所有检索器同时提问。",
  "how lists become one, as LlamaIndex calls it": "名单怎样合一，用 LlamaIndex 的名称",
  "questions that are asked, the user's included; above 1 a language model writes the others":
    "问几个问题，包括用户的；大于 1 时其余的由语言模型写",
  "what each list counts in the modes that weigh; equal where nothing is said":
    "在加权的方式里每份名单占多少；不写则相同",
  "passages of each list and question; never fewer than topK": "每份名单、每个问题取多少段落；不少于 topK",
  // fields, bool, phrase
  "several fields, each with its weight": "几个字段，各有权重",
  "titles that count more than texts; short questions": "标题比正文重要；短问题",
  "A weight above 10 draws a warning: that field decides nearly alone.":
    "权重超过 10 会有警告：几乎由那个字段独自决定。",
  "with weights behind ^, such as content^1,metadata.title^3; the text's own where nothing is said":
    "权重写在 ^ 后面，例如 content^1,metadata.title^3；不写则用正文的字段",
  "the best field's score, the sum of all, or the words spread over the fields; as phrases":
    "取最好字段的得分、全部之和，或让词分布在各字段；也可按短语",
  "the share of the other fields' scores, from 0 to 1": "其余字段得分计入的比例，0 到 1",
  "places that words may be moved, for the type phrase": "词可以挪动几个位置，用于短语类型",
  "what must, should and must not occur": "必须有、最好有、不能有",
  "questions with conditions: this word, rather with that one, and none of those":
    "带条件的问题：要这个词，最好还有那个，不要那些",
  "Where Chinese is cut into single characters, excluding 婚假 by `match` excludes whatever has 婚 or 假. `mustNot` and `filter` therefore look for phrases: the word is excluded as a word. `phrases` chooses for which clauses.":
    "中文按单字切时，用 `match` 排除“婚假”会排除一切含“婚”或“假”的。因此 `mustNot` 和 `filter` 按短语查找，整个词才算。`phrases` 决定哪些子句如此。",
  "texts that must occur, beside the question": "除问题之外必须出现的文本",
  "texts that make a passage better": "出现则加分的文本",
  "texts that must not occur": "不能出现的文本",
  "texts that must occur and do not score": "必须出现、但不计分的文本",
  "clauses whose words count beside each other: a Chinese word cut into characters excludes as a word only so (must, should, mustNot, filter)":
    "哪些子句要求字词挨在一起：切成单字的中文词只有这样才按整词排除（must、should、mustNot、filter）",
  "how many of should must occur": "should 里至少要有几个",
  "the words beside each other, in their order": "词挨在一起，顺序不变",
  "fixed expressions, titles, quotations; Chinese words under an analysis by single characters":
    "固定说法、标题、引文；按单字分析时的中文词",
  "Scores are Lucene's: with a slop, an occurrence counts 1 / (1 + distance). Phrases are looked for with the analyzer that wrote the text, so that words that questions leave out count too.":
    "得分是 Lucene 的：允许间隔时，一次出现计 1 / (1 + 距离)。短语用写入文本的分析器来切，提问时会略去的词也算。",
  "how many places the words may be moved; two that change places cost 2": "词总共可以挪动几个位置；两个词对调算 2",
  "where to look": "在哪里找",
  // wildcard, fuzzy, highlight
  "patterns with * and ? over whole values": "用 * 和 ? 匹配整个值",
  "parts of codes, file names and numbers; what no analyzer cuts out as a word":
    "编号、文件名、数字的一部分；任何分析器都不会切成词的",
  "A pattern that begins with * or ? looks at every value, and a warning says so. Values longer than a field's `ignore_above` are not in it: how many is reported. Over the text itself every passage is read, unless the collection was made with `wildcard: true`, which keeps whole texts in a field of the type `wildcard`.":
    "以 * 或 ? 开头的模式要看遍每个值，会有警告。超过字段 `ignore_above` 的值不在其中，有多少会说明。对正文匹配要读遍每个段落，除非建集合时用了 `wildcard: true`，它把全文存在 `wildcard` 类型的字段里。",
  "a keyword or wildcard field, such as metadata.title.keyword; the text itself where nothing is said":
    "keyword 或 wildcard 字段，例如 metadata.title.keyword；不写则为正文",
  "whether ASCII letters match whatever their case": "ASCII 字母是否不分大小写",
  "the score of what matches": "匹配者的得分",
  "words that are nearly the same, by edit distance": "几乎相同的词，按编辑距离",
  "misspelt words, names heard and not read, text out of OCR": "拼错的词、听来的名字、OCR 出来的文本",
  "Edits are of terms. Under the analysis `default` a term of Chinese is a single character: AUTO allows no edit in it, and an edit would match any other; a notice says so. Under `ik` terms are words, most of two characters: fuzziness 1 allows an edit in them.":
    "编辑针对词。`default` 分析下中文的词是单字：AUTO 不允许编辑，允许了就会匹配任何别的字，会有提示。`ik` 下的词多为两个字：fuzziness 1 允许改一个字。",
  "edits of a word: AUTO allows none up to 2 characters, one up to 5, two above":
    "一个词允许几次编辑：AUTO 在 2 个字符以内不允许，5 个以内一次，更长两次",
  "characters at the head that must be the same": "开头必须相同的字符数",
  "words that one may stand for": "一个词最多代表多少个词",
  "whether two characters that change places are one edit": "相邻两字符对调是否算一次编辑",
  "fragments of the text, with the words that match marked": "文本片段，标出匹配的词",
  "seeing why a passage was found; lists of results on a page": "看段落因何被找到；页面上的结果列表",
  'Every strategy has fragments: `highlight: true`, or an object of these options. `encoder: "html"` escapes the text, so that fragments can stand in a page.':
    '每种策略都可以有片段：`highlight: true`，或含这些选项的对象。`encoder: "html"` 会转义文本，片段可以直接放进页面。',
  "characters of a fragment, about": "片段大约多少字符",
  "most fragments of a passage; 0 gives the whole text": "一个段落最多几个片段；0 给出全文",
  "stands before what matches": "放在匹配之前",
  "stands behind what matches": "放在匹配之后",
  "html escapes the text, so that fragments can stand in a page": "html 会转义文本，片段可以直接放进页面",
  "the strategy that finds the passages, by name": "由哪种策略来找段落",
  // function-score
  "words, with scores changed by age, popularity, chance or weights": "按词，得分再按新旧、热度、随机或权重调整",
  "rules in several versions, news, popular pages; variety": "有几个版本的规定、新闻、热门页面；要多样",
  "`recency` and `popularity` name metadata. Dates are indexed as dates under names that say so: what ends in date, time or _at, and effective, expires, published, created, updated, modified.":
    "`recency` 和 `popularity` 写元数据的名称。名称看得出是日期的按日期索引：以 date、time、_at 结尾的，以及 effective、expires、published、created、updated、modified。",
  "a date or number among the metadata: what is near the origin scores higher":
    "元数据里的日期或数值：离原点近的得分高",
  "how recency decays": "新旧怎样衰减",
  "where recency is full; now for dates, needed for numbers": "满分所在的原点；日期默认为现在，数值必须写",
  "the distance at which recency is worth decay": "衰减到 decay 的距离",
  "the distance up to which recency is full": "在这个距离之内都是满分",
  "what recency is worth at the distance scale": "距离为 scale 时剩下多少",
  "a number among the metadata, such as views: more scores higher": "元数据里的数值，例如浏览量：越大得分越高",
  "multiplies the popularity": "热度的乘数",
  "what is done to the popularity": "对热度做什么变换",
  "the popularity of a passage without one": "没有热度的段落按多少算",
  "a seed: adds chance, the same for the same seed": "种子：加入随机，种子相同则结果相同",
  "passages with this text count boostWeight times": "含这段文本的段落按 boostWeight 倍计",
  "the weight of boostText": "boostText 的倍数",
  "further functions of the DSL, as JSON": "DSL 的其他函数，写成 JSON",
  "how several functions become one": "几个函数怎样合一",
  "how it changes the question's score": "怎样作用于问题的得分",
  "the most that the functions may be worth": "函数值的上限",
  "passages below it are left out": "低于它的段落略去",
  // chinese, bm25-tuned, metric
  "Chinese text: the cut, whole words, synonyms": "中文：切法、整词、同义词",
  "Chinese words that an analysis cuts apart, words of the house, different words for the same thing":
    "被分析器切开的中文词、自家的词、同一事物的不同说法",
  "How an index cuts Chinese is chosen once, with `analysis` (default, standard, cjk, ik, ik_smart): see [analysis.md](analysis.md). `huiliu analyze TEXT` shows the tokens side by side. Under `ik` texts are cut by ik_max_word and questions by ik_smart.":
    "索引怎样切中文只在建集合时选一次，用 `analysis`（default、standard、cjk、ik、ik_smart），见[分析](analysis.md)。`huiliu analyze 文本` 并排显示各种切法。`ik` 下文本用 ik_max_word 切，问题用 ik_smart 切。",
  "cuts the question: standard, cjk, ik_smart, ik_max_word; by the collection's analysis where nothing is said":
    "怎样切问题：standard、cjk、ik_smart、ik_max_word；不写则按集合的分析",
  "where to look; pairs of characters, or words under ik, where nothing is said": "在哪里找；不写则为双字，ik 下为词",
  "words of a user's dictionary: where the question has one, it counts as a whole":
    "用户词典里的词：问题里有的，按整词算",
  "words that mean the same, such as 请假=休假; may be repeated": "意思相同的词，例如 请假=休假；可以重复写",
  "words, by BM25 with constants found on a validation set": "按词，BM25 的常数在验证集上选定",
  "collections of unusual texts, once k1 and b were measured (huiliu tune)":
    "文本特殊的集合，先测出 k1 和 b（huiliu tune）",
  "k1 and b belong to the index, so that every search of it agrees. `setBm25(collection, { k1: 1.5, b: 0.5 })` changes them without indexing again; the index is closed for a moment. Given as options they are compared with the index's, and a difference is an error.":
    "k1 和 b 属于索引，对它的每次检索都一致。`setBm25(collection, { k1: 1.5, b: 0.5 })` 改动它们而不必重建索引，索引会短暂关闭。写在选项里的会与索引的比较，不同就是错误。",
  "how soon a repeated word counts no more; what the index has, where nothing is said":
    "重复的词多快不再加分；不写则用索引的",
  "how much a long text is discounted; what the index has, where nothing is said": "长文本打多少折扣；不写则用索引的",
  "meaning, with vectors compared by cosine, dot product, distance or inner product":
    "按语义，向量用余弦、点积、距离或内积比较",
  "seeing what another measure would change, before an index is made with it": "建索引之前，看换一种度量会有什么不同",
  "The nearest passages by the index's own measure are compared again; with `exact` all passages are, up to 200,000, so that none is missed that another measure would put first. A script of Elasticsearch is asked in neither place. Vectors of length one have the same order by all four. Others are refused for dot_product, with the remedy: cosine, max_inner_product, or dividing them by their length.":
    "先按索引自己的度量取最近的段落，再重新比较；`exact` 比较全部段落（最多 200,000 个），另一种度量会排第一的也不会漏。两边都不用 Elasticsearch 的脚本。长度为一的向量，四种度量的顺序相同。其他向量用 dot_product 会拒绝，并给出办法：cosine、max_inner_product，或除以长度。",
  "cosine: direction alone; dot_product: the same of vectors of length one; l2_norm: distance; max_inner_product: direction and length":
    "cosine：只看方向；dot_product：长度为一的向量的余弦；l2_norm：距离；max_inner_product：方向和长度",
  "nearest passages by the index's own measure, which are compared again; not read with exact; never fewer than topK":
    "按索引自己的度量取多少个最近的段落重新比较；有 exact 时不用；不少于 topK",
  "compares all passages, so that none is missed; slow where there are many": "比较全部段落，一个不漏；段落多时慢",
  // filtered, rerank, auto, citation, aggregate
  "another strategy among the passages whose metadata fit": "在元数据符合的段落里用另一种策略",
  "tenants, rights, categories, time windows; narrow filters still give topK":
    "租户、权限、类别、时间段；条件再窄也能给满 topK",
  "Filters apply inside each list, the nearest vectors too: a narrow filter still gives `topK`. `within(collection, { tenant })` makes an index of one tenant: whatever a search asks, filters included, stays within it.":
    "过滤在每份名单内部生效，最近向量也一样：条件再窄也给满 `topK`。`within(collection, { tenant })` 得到一个租户的索引：检索怎么问（包括它自己的过滤条件）都出不了这个范围。",
  "values that metadata must have, such as level=员工; of a list any":
    "元数据必须有的值，例如 level=员工；列表则任一即可",
  "the metadata that has the time, for since and until": "since 和 until 所看的时间元数据",
  "the earliest time, such as 2024-01-01": "最早的时间，例如 2024-01-01",
  "the time before which it must lie": "必须早于这个时间",
  "the best of another strategy, read again by a reranking model": "另一种策略找到的最好的，由重排模型重读",
  "the right passage first; each shows its rank before and after": "正确的段落排在第一；各自显示重排前后的名次",
  "The model is the search's `reranker` (`--reranker`): a cross-encoder on this machine, DashScope's, any of the AI SDK, or a language model. Each hit has `reranked.rankBefore`. One that fails fails the search, or leaves the order with a warning (`onError`).":
    "模型是检索的 `reranker`（`--reranker`）：本机的交叉编码器、DashScope 的、AI SDK 的任何一个，或语言模型。每条结果都有 `reranked.rankBefore`。模型失败时检索也失败，或给出警告并保持原来的顺序（`onError`）。",
  "passages that the reranker reads; never fewer than topK": "重排模型读多少个段落；不少于 topK",
  "whether a reranker that fails fails the search, or leaves the order as it was":
    "重排模型失败时，检索失败还是保持原来的顺序",
  "filters that a language model reads out of the question": "由语言模型从问题里读出过滤条件",
  "questions that name a person, a level, a date or a kind of document": "提到了人、级别、日期或文档类型的问题",
  "The model sees the metadata with their commonest values, read from the index. Filters by unknown fields or operators are dropped with a notice and never sent; the filters of the search and of `within` always hold beside the model's.":
    "模型看得到元数据和它们最常见的值，是从索引读来的。用了未知字段或运算符的条件会去掉并提示，绝不发出；检索和 `within` 的过滤条件始终与模型的同时有效。",
  "what the passages are about, for the model": "告诉模型段落讲的是什么",
  "the metadata that may be filtered by, as JSON; read from the index where nothing is said":
    "可以用来过滤的元数据，写成 JSON；不写则从索引读",
  "results that the model may ask for": "模型最多可以要多少条结果",
  "short numbered sources, which the answer cites as [1], [2]": "短小的编号来源，答案用 [1]、[2] 引用",
  "answers that must be checked: law, medicine, money": "必须核对的答案：法律、医疗、金钱",
  '`collection.ask(question, { strategy: "citation", model })` answers with [1], [2]. The answer\'s `citations` has the numbers that no source has, and the sentences without a number.':
    '`collection.ask(question, { strategy: "citation", model })` 的答案带 [1]、[2]。答案的 `citations` 列出没有来源的编号和没有编号的句子。',
  "tokens of a source at most": "一个来源最多多少词元",
  "tokens that neighbouring sources share": "相邻来源重叠多少词元",
  "counts and measures over the metadata of what matches": "对匹配者的元数据计数、计算",
  "how many, which kinds, when; facets beside hits. An empty question counts everything":
    "有多少、哪几类、什么时候；结果旁边的分面。空问题统计全部",
  "`aggregateStrategy(collection, question, options)` gives `{ total, aggregations, hits }`. `aggs` takes any aggregation of the DSL; within filters that always hold, those that count outside the query are refused.":
    "`aggregateStrategy(collection, question, options)` 给出 `{ total, aggregations, hits }`。`aggs` 接受 DSL 的任何聚合；在始终有效的过滤条件之内，会统计到查询之外的聚合会拒绝。",
  "metadata whose values are counted, such as level,category": "对哪些元数据的值计数，例如 level,category",
  "a date or a number among the metadata, counted by interval": "按间隔统计的日期或数值元数据",
  "of dates year, quarter, month, week, day; of numbers a width": "日期用 year、quarter、month、week、day；数值写宽度",
  "measures of numbers, such as avg:days: avg, sum, min, max, stats, extended_stats, value_count, cardinality, percentiles":
    "对数值的计算，例如 avg:days：avg、sum、min、max、stats、extended_stats、value_count、cardinality、percentiles",
  "most values of each": "每项最多列出多少个值",
  "aggregations of the DSL, as JSON": "DSL 的聚合，写成 JSON",
  "whether passages come too": "是否也给出段落",
  // hyde … recency
  "meaning of an answer that a language model made up (HyDE)": "按语言模型拟写的答案的语义（HyDE）",
  "questions that look unlike the passages that answer them": "问题与回答它的段落看上去不像",
  "What is matched as text stays the question.": "按文本匹配的仍是问题本身。",
  "whether the question itself is embedded beside the passage": "除拟写的段落外，问题本身是否也参与",
  "passages that answer and are unlike each other (maximal marginal relevance)":
    "切题而又互不相同的段落（最大边际相关）",
  "collections that say the same thing many times; overviews": "同样的话反复出现的集合；概览",
  "the share of relevance; the rest counts against being like what was picked":
    "相关性所占比例；其余用来扣除与已选段落的相似",
  "passages that are picked from; never fewer than topK": "从多少个段落里挑；不少于 topK",
  "a whole document where much of it was found, its passages elsewhere": "找到文档的大部分就给整篇，否则给段落",
  "answers that are spread over a document": "散在整篇文档里的答案",
  "passages that are looked for; never fewer than topK": "查找多少个段落；不少于 topK",
  "a document is taken when more than this share of its passages was found": "找到的段落超过这个比例就取整篇文档",
  "the best sentence of each passage, with those around it": "每个段落里最好的句子，连同前后的句子",
  "long passages of which one sentence answers; less for a model to read": "长段落里只有一句是答案；让模型少读一些",
  "The sentence itself is in the metadata as `original_text`.": "句子本身在元数据的 `original_text` 里。",
  "sentences before and behind the best one": "最好的句子前后各取几句",
  "whole documents in the place of their passages": "用整篇文档代替段落",
  "short documents, answers that need the whole text": "短文档；需要全文才能回答的问题",
  "a document is taken when more than this share of its passages was found; else they stay as they are":
    "找到的段落超过这个比例就取整篇文档，否则保持段落",
  "the best passages first and last, the weakest in the middle": "最好的放在开头和结尾，最弱的放在中间",
  "many passages for a model that reads the middle carelessly": "段落很多，而模型读中间不仔细",
  "of the best passages the newest": "从最好的段落里取最新的",
  "rules in several versions, minutes, news": "有几个版本的规定、会议纪要、新闻",
  "A passage without a date goes last. With `versions` the newest of passages that are alike is kept.":
    "没有日期的段落排在最后。加 `versions` 时，相似的段落只留最新的。",
  "the metadata that has the date": "存放日期的元数据",
  "of passages that are alike keep the newest, instead of ordering all by age":
    "相似的段落只留最新的，而不是全部按新旧排",
  "how alike versions are, as a cosine": "多相似才算同一内容的版本，用余弦",
  "best passages that are ordered by age; never fewer than topK": "取多少个最好的段落按新旧排；不少于 topK",
  // What they need, and kinds of options
  reranker: "重排模型",
  "language model": "语言模型",
};
