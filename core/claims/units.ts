/** A unit as a factor to the basic one of its dimension. */
export interface Unit {
  dimension: string;
  factor: number;
}

/** Names of units in five languages by dimension and factor. In lower case. */
const NAMES: readonly (readonly [dimension: string, factor: number, names: string])[] = [
  ["mass", 0.001, "mg milligram milligrams"],
  ["mass", 1, "g gram grams gramm gramme grammes gramo gramos グラム"],
  [
    "mass",
    1000,
    "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos キロ キログラム",
  ],
  ["mass", 453.592, "lb lbs pound pounds pfund livres libras ポンド"],
  ["mass", 28.3495, "oz ounce ounces unzen onces onzas オンス"],
  ["time", 0.001, "ms milliseconds"],
  ["time", 1, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒"],
  ["time", 60, "min mins minute minutes minuten minuto minutos 分"],
  ["time", 3600, "h hr hrs hour hours stunde stunden std heure heures hora horas 時間"],
  ["time", 86_400, "day days tag tage tagen jour jours día días 日 日間"],
  ["time", 604_800, "week weeks woche wochen semaine semaines semana semanas 週間"],
  ["time", 2_629_800, "month months monat monate monaten mois mes meses か月 ヶ月"],
  ["time", 31_557_600, "year years yr yrs jahr jahre jahren an ans année années año años 年"],
  ["length", 0.001, "mm millimeter millimeters millimetre millimetres milímetros ミリ"],
  ["length", 0.01, "cm centimeter centimeters centimetre centimetres zentimeter centimètres centímetros センチ"],
  ["length", 1, "m meter meters metre metres mètre mètres metro metros メートル"],
  ["length", 1000, "km kilometer kilometers kilometre kilometres kilomètres kilómetros キロメートル"],
  ["length", 0.0254, 'inch inches zoll pouce pouces pulgada pulgadas インチ " ″ ”'],
  ["length", 0.3048, "ft feet foot fuß pieds pies フィート"],
  ["length", 1609.344, "mi mile miles meilen millas マイル"],
  ["speed", 1 / 3.6, "km/h kmh kph"],
  ["speed", 0.44704, "mph"],
  ["speed", 1, "m/s"],
  ["speed", 0.001, "mm/s"],
  ["power", 1, "w watt watts vatios ワット"],
  ["power", 1000, "kw kilowatt kilowatts"],
  ["power", 745.7, "hp horsepower"],
  ["power", 735.5, "ps ch cv"],
  ["energy", 1, "wh"],
  ["energy", 1000, "kwh"],
  ["charge", 1, "mah"],
  ["charge", 1000, "ah"],
  ["voltage", 1, "v volt volts"],
  ["light", 1, "lm lumen lumens lúmenes ルーメン"],
  ["luminance", 1, "nit nits cd/m²"],
  ["sound", 1, "db decibel decibels dezibel décibels decibelios デシベル"],
  ["frequency", 1, "hz hertz"],
  ["frequency", 1000, "khz"],
  ["frequency", 1e6, "mhz"],
  ["frequency", 1e9, "ghz"],
  ["pixels", 1, "mp megapixel megapixels mpx mégapixels megapíxeles メガピクセル"],
  ["data", 1, "mb megabyte megabytes"],
  ["data", 1000, "gb gigabyte gigabytes go"],
  ["data", 1e6, "tb terabyte terabytes to"],
  ["volume", 0.001, "ml milliliter milliliters millilitres"],
  ["volume", 1, "l liter liters litre litres litros リットル"],
  ["volume", 3.78541, "gal gallon gallons"],
  ["pressure", 1, "bar bars"],
  ["share", 1, "% percent prozent パーセント"],
];

const UNITS: ReadonlyMap<string, Unit> = new Map(
  NAMES.flatMap(([dimension, factor, names]) => names.split(" ").map((name) => [name, { dimension, factor }] as const)),
);

/** What stands before a unit and says how it was measured. */
const MEASURED_SO = /^(?:ansi|iso|led|cvia) (?=\S)/;

/** A unit by one of its names; what is not known is a dimension of its own. */
export function unitOf(name: string): Unit {
  const folded = name.normalize("NFKC").toLowerCase().trim().replace(MEASURED_SO, "");
  return UNITS.get(folded) ?? { dimension: `"${folded}"`, factor: 1 };
}

/** Undefined where no unit has this name. */
export function knownUnit(name: string): Unit | undefined {
  const unit = unitOf(name);
  return unit.dimension.startsWith('"') ? undefined : unit;
}
