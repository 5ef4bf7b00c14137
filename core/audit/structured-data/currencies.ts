import { wordList } from "../../words.ts";

/** Codes of currencies in use. */
export const CURRENCIES = wordList("currencies");
