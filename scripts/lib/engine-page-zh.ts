/** docs/zh/engine.md: the English page, block by block, in Chinese. What has changed there and has no Chinese here is an error. */
import { enginePage } from "./engine-page.ts";

/** Blocks by their English, where {0}, {1} … stand for names in code, or lists of them. */
const BLOCKS: Record<string, string> = {
  "# What the engine has of Elasticsearch": "# 引擎支持 Elasticsearch 的哪些功能",
  "The embedded engine answers the requests below as Elasticsearch 8.17 does: the same hits in the same order, scores to float32, errors with the same status and type. What Elasticsearch has beside them is refused with status 400 and {0}, which names it, and what Elasticsearch does not know gets Elasticsearch's own error. An index has one shard, whatever {1} says.":
    "以下请求，内嵌引擎的回答与 Elasticsearch 8.17 一致：同样的命中和顺序，得分精确到 float32，报错的状态码和类型相同。Elasticsearch 有而这里没有的，以 400 和 {0} 拒绝，并写明名称；Elasticsearch 不认识的，得到 Elasticsearch 自己的报错。不管 {1} 怎么写，索引只有一个分片。",
  "This page is made from the engine's own tables ({0}). Analysis has a page of its own: [analysis.md](analysis.md).":
    "本页由引擎自己的表生成（{0}）。文本分析另有一页：[分析](analysis.md)。",
  "## Queries": "## 查询",
  "## Searches": "## 检索请求",
  "## Aggregations": "## 聚合",
  "## Field types": "## 字段类型",
  "## APIs": "## 接口",
  "## Where it differs on purpose": "## 有意的差别",
  "Refused: {0}": "拒绝：{0}",
  "Refused: {0}, and scripts.": "拒绝：{0}，以及脚本。",
  "Refused: {0}; of {1} {2}; of {3} the contexts of {4} and {5} of {6}; scripts everywhere.":
    "拒绝：{0}；{1} 的 {2}；{3} 中 {4} 的上下文和 {6} 的 {5}；所有脚本。",
  "Refused: {0}; of {1} {2}; of {3} {4} of {5}; scripts everywhere.":
    "拒绝：{0}；{1} 的 {2}；{3} 中 {5} 的 {4}；所有脚本。",
  "Retrievers: {0}": "检索器：{0}",
  "| method | path |": "| 方法 | 路径 |",
  "- The retriever {0} is Elasticsearch 8.18's. {1} of {2} and {3} is heeded, as from 8.18 on; 8.17 passes over it.":
    "- 检索器 {0} 是 Elasticsearch 8.18 的。{2} 和 {3} 的 {1} 有效，与 8.18 起相同；8.17 忽略它。",
  "- {0} asks the model that {1} has under its {2}.": "- {0} 使用 {1} 里以它的 {2} 为名的模型。",
  "- Nearest vectors come through graphs that are built in another order than Elasticsearch's: on many vectors a few of the hits differ, as they do between two clusters of Elasticsearch. Where many vectors are quantised, the {0} nearest are told apart by the vectors themselves, and scored as the quantised are. {1} and small segments are exact, and the same.":
    "- 最近向量经由图查找，图的构建顺序与 Elasticsearch 不同：向量很多时有少数结果不一样，两个 Elasticsearch 集群之间也会如此。大量向量量化之后，最近的 {0} 个按向量本身区分先后，按量化值计分。{1} 和小的段是精确的，结果相同。",
  "- Aggregations within {0} take the documents of their bucket. Elasticsearch 8.17 gives them documents of other buckets.":
    "- {0} 之内的聚合取自己桶里的文档。Elasticsearch 8.17 会给它别的桶的文档。",
  "- {0} counts exactly, whatever its {1}.": "- 不管 {1} 怎么写，{0} 都精确计数。",
  "- A name that stands twice in {0} is printed once: JSON has no two values under one key.":
    "- {0} 里写了两次的名称只打印一次：JSON 的一个键没有两个值。",
  "- Floats beyond 2^24 and doubles are printed with the fewest digits that read back as the same number, as newer versions of Java print them.":
    "- 超过 2^24 的 float 和 double，以能读回同一个数的最少位数打印，与较新版本的 Java 相同。",
};

export function enginePageZh(): string {
  return enginePage()
    .split("\n\n")
    .map((block) =>
      block
        .split(/\n(?=[|-])/)
        .map(inChinese)
        .join("\n"),
    )
    .join("\n\n");
}

function inChinese(block: string): string {
  const end = /\n*$/.exec(block)![0];
  const start = /^\n*/.exec(block)![0];
  const names: string[] = [];
  const text = block.trim().replace(/\n\s*/g, " ");
  const template = text.replace(/`[^`]+`(?:, `[^`]+`)*/g, (name) => `{${names.push(name) - 1}}`);
  if (template === "{0}" || template === "" || /^\|(?! method)/.test(template)) return block;
  const chinese = BLOCKS[template];
  if (chinese === undefined) throw new Error(`scripts/lib/engine-page-zh.ts has no Chinese for: ${template}`);
  return `${start}${chinese.replace(/\{(\d+)\}/g, (_, i) => names[Number(i)]!)}${end}`;
}
