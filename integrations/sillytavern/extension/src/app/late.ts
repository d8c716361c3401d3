// Handles a state that is not there when a prompt is built: the user chooses. The default is waiting; the
// question closes by itself when the state arrives.
import type { Host } from '../host/host';
import { WORDS, say } from '../logic/words';
import type { WhenLate } from './settings';

const LOOK_AGAIN_MS = 150;
const ASK_AGAIN_MS = 15_000;

export class Late {
  /** The choice while the engine is away, so that the user is not asked at every message. */
  private remembered: WhenLate | null = null;

  constructor(private readonly host: Host) {}

  /** The engine is back: the user is asked again next time. */
  forget(): void {
    this.remembered = null;
  }

  /** Waits, or asks, until the state is there (`arrived`) or the user chose to continue without it. */
  async decide(arrived: () => boolean, stillMeant: () => boolean, away: () => boolean, oldFloor: number): Promise<WhenLate> {
    if (this.remembered) return this.remembered;
    while (stillMeant()) {
      let done = false;
      const over = this.until(() => done || arrived() || !stillMeant());
      const language = this.host.language();
      const buttons = [WORDS.goOnWaiting, WORDS.sendWithout, ...(oldFloor >= 0 ? [WORDS.sendOld(oldFloor)] : [])];
      const text = say(away() ? WORDS.lateAway : WORDS.late, language);
      const answer = await this.host.ask({ text, buttons: buttons.map((button) => say(button, language)), over });
      done = true;
      if (answer === 1 || answer === 2) {
        const choice = answer === 1 ? 'without' : 'old';
        if (away()) this.remembered = choice;
        return choice;
      }
      const since = Date.now();
      await this.until(() => arrived() || !stillMeant() || Date.now() - since > ASK_AGAIN_MS);
      if (arrived()) return 'wait';
    }
    return 'wait';
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
