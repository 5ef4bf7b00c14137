import { StoreError } from "../../db/engine/store-error.ts";
import { AppError, STATUS_BY_CODE, type ErrorCode, type FieldError } from "../../core/shared/errors.ts";

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  fields?: FieldError[];
  request_id: string;
}

/** An error that is no AppError reveals only the request id. */
export function errorBody(error: unknown, requestId: string): ErrorBody & { status: number } {
  const known = toAppError(error);
  return {
    status: STATUS_BY_CODE[known.code],
    code: known.code,
    message: known.message,
    ...known.details,
    ...(known.fields === undefined ? {} : { fields: known.fields }),
    request_id: requestId,
  };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = error instanceof StoreError ? error.reason : undefined;
  if (reason === "full") {
    return new AppError("STORAGE_FULL", "The service is out of storage. Try again later.", { cause: error });
  }
  if (reason === "busy") {
    return new AppError("UNAVAILABLE", "The service is busy. Try again in a moment.", { cause: error });
  }
  if (reason === "replaced") {
    return new AppError(
      "UNAVAILABLE",
      "The data files of the service are missing. The operator must restore them or restart the service.",
      {
        cause: error,
      },
    );
  }
  return new AppError("INTERNAL", "Something went wrong on our side. If it happens again, report the request_id.", {
    cause: error,
  });
}
