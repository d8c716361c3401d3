// Broken versions of the extension. Each one removes one idea of the binding rule, or of the choice of the
// state for a prompt; the short scenario must fail at the named step. A search text must occur exactly once
// in its file, so that no mutant silently becomes a no-op.

export interface Mutant {
  name: string;
  changes: { file: string; search: string; replace: string }[];
  /** The step at which the scenario must fail. */
  failsAt: RegExp;
}

const binding = "src/logic/binding.ts";
const effective = "src/logic/effective.ts";

export const mutants: Mutant[] = [
  {
    name: "an id that is there is kept, whoever had it",
    changes: [
      { file: binding, search: "  dropInherited(slots);\n", replace: "" },
      { file: binding, search: "  for (const message of chat) written = forgetPending(message) || written;\n", replace: "" },
    ],
    failsAt: /new swipe/,
  },
  {
    name: "a changed text gets a new id",
    changes: [
      {
        file: binding,
        search: "bound: boundOn(message, page) }",
        replace: "bound: [boundOn(message, page)].find((bound) => bound?.h === textHash(text)) ?? null }",
      },
    ],
    failsAt: /continue/,
  },
  {
    name: "a message between two steps is not left alone",
    changes: [{ file: binding, search: "!chatChanged && isBetween(message)", replace: "false" }],
    failsAt: /delete the shown middle swipe/,
  },
  {
    name: "no mirror in swipe_info",
    changes: [{ file: binding, search: "message.swipe_info?.[page] ? put(infoExtra(message, page), value) : false", replace: "false" }],
    failsAt: /new chat/,
  },
  {
    name: "a single greeting's id comes from the resolved text",
    changes: [{ file: binding, search: ": [firstMessage];", replace: ": [message.mes];" }],
    failsAt: /single greeting/,
  },
  {
    name: "a new swipe sees the state of the page that it replaces",
    changes: [
      { file: effective, search: "  if (now.pending) return true;\n", replace: "" },
      { file: effective, search: "now.generation === 'swipe' || ", replace: "" },
    ],
    failsAt: /new swipe/,
  },
];
