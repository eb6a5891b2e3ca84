import type { Article } from "./articles.ts";

/** Stop words: too common to distinguish questions. */
const empty = new Set(
  "a an and are can do does for have how i if in is it me my of on or that the there this to was what when where will with you your".split(
    " ",
  ),
);

const marks = /\p{Mark}/gu;

/** Letters without their marks, in words of at least two. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(marks, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);

/**
 * Matching articles, best first: every search word must begin a word of the article, and weighs more in the question
 * than in the answer. An empty search, or only stop words, returns all articles in their order.
 */
export function searchArticles(typed: string, articles: readonly Article[]): readonly Article[] {
  const all = wordsOf(typed);
  const wanted = all.filter((word) => !empty.has(word));
  if (wanted.length === 0) return articles;
  return articles
    .map((article) => ({ article, score: scoreOf(article, wanted, all) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ article }) => article);
}

function scoreOf(article: Article, wanted: readonly string[], all: readonly string[]): number {
  const places = [
    { words: wordsOf(article.question), weight: 3 },
    { words: wordsOf(article.otherWords ?? ""), weight: 2 },
    { words: wordsOf(article.answer.join(" ")), weight: 1 },
  ];
  let total = 0;
  for (const word of wanted) {
    const best = places.find(({ words }) => words.some((found) => begins(found, word)));
    if (best === undefined) return 0;
    total += best.weight;
  }
  // Ties go to the question phrased like the search: here 'where' and 'how' count.
  const question = new Set(wordsOf(article.question));
  return total + all.filter((word) => question.has(word)).length / 100;
}

/** A word and its forms: 'refunds' finds 'refund', 'cert' finds 'certificate'. */
const begins = (found: string, word: string): boolean =>
  found.startsWith(word) || (word.length > 4 && found.length > 3 && word.startsWith(found));
