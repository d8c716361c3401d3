// The macro `{{var_system_schema}}`: the schema of the open story as JSON, if the user wants it in prompts. Macros answer
// synchronously, so that the schema is read before: once per head of the chat, and when something was changed here.
import type { Json } from '../logic/json';
import { renderState } from '../logic/macros';
import type { App } from './app';

export class SchemaMacro {
  private text = '';
  private read = '';

  constructor(
    private readonly app: Pick<App, 'host' | 'api' | 'session' | 'onUpdate'>,
    private readonly on: () => boolean,
  ) {
    app.host.addMacro({ name: 'var_system_schema', help: 'Storeyline: the schema of the state as compact JSON, if it is switched on.', text: () => (this.on() ? this.text : '') });
    app.onUpdate(() => this.update());
  }

  /** `anew`: the rules may have changed without a change of the chat. */
  update(anew = false): void {
    const story = this.app.session?.branch()?.story ?? null;
    const at = `${story} ${this.app.session?.memory.acked?.node ?? ''}`;
    if (story === null) this.text = this.read = '';
    if (story === null || !this.on() || (at === this.read && !anew)) return;
    if (!this.read.startsWith(story)) this.text = '';
    this.read = at;
    void this.load(story, at);
  }

  private async load(story: string, at: string): Promise<void> {
    try {
      const { rules } = await this.app.api.rules(story);
      if (this.read === at) this.text = renderState(((rules as { schema?: Json }).schema ?? null) as Json | null);
    } catch {
      // Away: the next update asks again.
      if (this.read === at) this.read = '';
    }
  }
}
