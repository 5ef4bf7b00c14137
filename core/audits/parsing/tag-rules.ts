// Rules of the HTML standard (13.2.6, tree construction), as far as they affect extraction.

const splitWords = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const VOID_ELEMENTS = splitWords(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);
/** An end tag ends these elements at any depth, while descendants stay open. */
export const FORMATTING_ELEMENTS = splitWords("a b big code em font form i nobr s small strike strong tt u");
export const HEADINGS = splitWords("h1 h2 h3 h4 h5 h6");
export const TABLE_PARTS = splitWords("caption colgroup col tbody thead tfoot tr td th");
const CELL_PARENTS = splitWords("tr tbody thead tfoot table template");
/** Other open elements end at a table part. */
export const ALLOWED_PARENTS_BY_PART: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["td", CELL_PARENTS],
  ["th", CELL_PARENTS],
  ["tr", splitWords("tbody thead tfoot table template")],
]);
export const TABLE_FRAME = splitWords("table tbody thead tfoot tr");
export const ENDS_PARAGRAPH = splitWords(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li dd dt listing main menu nav ol p plaintext pre search section summary table ul xmp",
);
/** An end tag does not cross these elements. */
export const SCOPE = splitWords("applet caption table td th marquee object template foreignobject");
export const SPECIAL = splitWords(
  "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp",
);
/** Not allowed in svg and math, so they end both. */
export const LEAVES_FOREIGN = splitWords(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);
/** Contain HTML within svg and math. */
export const INTEGRATION_POINTS = splitWords("foreignobject desc title mi mo mn ms mtext annotation-xml");
/** Start and end a text block. */
export const BLOCK_LEVEL = splitWords(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp",
);
