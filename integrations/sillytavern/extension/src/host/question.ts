// A question over the page, with the host's own popup. Only text is shown, never HTML.
import type { Question } from './host';
import type { HostContext } from './sillytavern';

/** The host's result codes for "closed" and for our first button. */
const FIRST_CUSTOM = 1001;

/** Asks; returns the index of the button, or null when it was closed or is over. */
export async function ask(context: HostContext, question: Question): Promise<number | null> {
  const body = document.createElement('div');
  body.className = 'sl-host-question';
  for (const line of question.text.split('\n')) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    body.append(paragraph);
  }
  const popup = new context.Popup(body, context.POPUP_TYPE['TEXT'], '', {
    okButton: false,
    cancelButton: false,
    leftAlign: true,
    customButtons: question.buttons.map((text, index) => ({ text, result: FIRST_CUSTOM + index, appendAtEnd: true })),
    defaultResult: FIRST_CUSTOM,
  });
  let over = false;
  void question.over?.then(() => {
    over = true;
    void popup.complete(0);
  });
  const result = await popup.show();
  const index = typeof result === 'number' ? result - FIRST_CUSTOM : -1;
  return over || index < 0 || index >= question.buttons.length ? null : index;
}
