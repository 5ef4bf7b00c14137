import { mainJobBy } from "./main-job-by-client.ts";
import { CLIENTS } from "../support/tool-client.ts";

const { "SDK 2, auto": newest } = CLIENTS;
if (newest) mainJobBy({ "SDK 2, auto": newest });
