import { writeFileSync } from "node:fs";
import {
  computeF1,
  computeShare,
  type CalibrationReport,
  type CalibrationCounts,
  type ShareWithInterval,
} from "../../core/calibration/calibration.ts";
import { pairAgreements } from "./agreement.ts";
import { calibrate, dataFile } from "./calibrate.ts";
import { labelledAnswers } from "./label-lines.ts";
import { missingTextsReason } from "./texts.ts";

const DATA_FILE = new URL("../../lists/calibration.json", import.meta.url);

/** Prints the reading against the labels; `write` updates the published figures. */
export function printEvaluation(write: boolean): void {
  const absent = missingTextsReason();
  if (absent) {
    console.info(absent);
    return;
  }
  const calibration = calibrate();
  if (write) writeFileSync(DATA_FILE, dataFile(calibration));
  printAgreement();
  printFigures(calibration);
}

function printAgreement(): void {
  console.info("\nTwo annotators of brands in answers, where they are present");
  for (const { what, figure, value, equal } of pairAgreements([
    ...labelledAnswers("open"),
    ...labelledAnswers("held-out"),
  ])) {
    const same = equal === undefined ? "" : `, equal ${percent(equal)} %`;
    console.info(`  ${what.padEnd(30)} ${figure} ${value.toFixed(2)}${same}`);
  }
}

function printFigures({ figures, answers, pairs, labels_version, reading_version }: CalibrationReport): void {
  console.info(
    `\nBrands in answers, in %: ${pairs} pairs in ${answers} answers, labels ${labels_version}, reading ${reading_version}`,
  );
  let heading = "";
  for (const row of figures) {
    const own = `${row.part === "open" ? "open" : "held out"}: ${row.measure}`;
    if (own !== heading) console.info(`  ${own}`);
    heading = own;
    console.info(`    ${figureText(row)}`);
  }
}

function figureText(row: CalibrationCounts): string {
  const { dimension, value, right, found, labelled } = row;
  const name = (dimension === "all" ? "all" : `${dimension} ${value}`).padEnd(30);
  const precision = `precision ${shareText(computeShare(right, found))}, ${right} of ${found}`;
  const recall = `recall ${shareText(computeShare(right, labelled))}, ${right} of ${labelled}`;
  return `${name} F1 ${percent(computeF1(row) ?? 0)}; ${precision}; ${recall}`;
}

function shareText(share: ShareWithInterval | null): string {
  return share ? `${percent(share.value)} (${percent(share.ci_low)} to ${percent(share.ci_high)})` : "none";
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
