// The two ways in which a request fails: the engine refused it, or nobody answered.
import type { Schemas, Words } from './types.ts';

/** A request without a usable answer. */
export abstract class ApiError extends Error {
  /** Stable; see docs/api.md. */
  readonly code: string;
  /** What happened, for the user. */
  readonly words: Words | null;
  /** What to do about it. */
  readonly hint: Words | null;

  constructor(code: string, words: Words | null, hint: Words | null, options?: ErrorOptions) {
    super(words === null ? code : `${code}: ${words.en}`, options);
    this.code = code;
    this.words = words;
    this.hint = hint;
  }

  /** It is not known whether the engine did what was asked; the same request may be repeated. */
  abstract get unsure(): boolean;
}

/** The engine answered with an error. */
export class Refused extends ApiError {
  readonly status: number;
  declare readonly words: Words;

  constructor(status: number, code: string, words: Words, hint: Words | null = null) {
    super(code, words, hint);
    this.status = status;
  }

  get unsure(): boolean {
    return this.status >= 500;
  }
}

/** Nobody answered, or somebody else did: try again later. */
export class Away extends ApiError {
  constructor(code = 'unreachable', words: Words | null = null, hint: Words | null = null, options?: ErrorOptions) {
    super(code, words, hint, options);
  }

  get unsure(): boolean {
    return true;
  }
}

/** The host's plugin answers so while it cannot reach the engine. */
const PLUGIN_ALONE = 'engine_away';

/** Code of an answer that no engine gave. */
export const NOT_THE_ENGINE = 'not_the_engine';

/** Returns the error that an answer tells. `body` is its JSON, or its text where it is none. */
export function errorOf(status: number, body: unknown): ApiError {
  const error = (body as { error?: Partial<Schemas['ErrorBody']> } | null)?.error;
  if (typeof error?.code === 'string') {
    const { code, message = null, hint = null } = error;
    return code === PLUGIN_ALONE ? new Away(code, message, hint) : new Refused(status, code, message ?? numberOnly(status), hint);
  }
  // Something else is at this address: a host without the plugin, or a proxy in front of an engine that is gone.
  if (status < 400 || status === 404) return new Away(NOT_THE_ENGINE);
  return status >= 500 ? new Away() : new Refused(status, `http_${status}`, numberOnly(status));
}

function numberOnly(status: number): Words {
  return { zh: `引擎的回答是 ${status}。`, en: `The engine answered ${status}.` };
}
