// What we register in the host: macros, slash commands, a menu entry, sentences in a prompt.
import type { Words } from 'storeyline-client';
import { say } from '../logic/words';
import type { HostCommand, HostMacro } from './host';
import type { HostContext } from './sillytavern';

export function addMacro(context: HostContext, macro: HostMacro): void {
  const argument = macro.argument;
  context.macros.register(macro.name, {
    category: 'variable',
    description: macro.help,
    ...(argument ? { unnamedArgs: [{ name: argument.name, description: argument.help, optional: argument.optional === true }] } : {}),
    handler: ({ unnamedArgs }: { unnamedArgs?: string[] }) => macro.text(unnamedArgs?.[0] ?? ''),
  });
}

export function addCommand(context: HostContext, command: HostCommand, language: 'zh' | 'en'): void {
  const words = (text: Words): string => say(text, language);
  const { SlashCommand, SlashCommandArgument, SlashCommandNamedArgument, SlashCommandParser, ARGUMENT_TYPE } = context;
  SlashCommandParser.addCommandObject(
    SlashCommand.fromProps({
      name: command.name,
      helpString: words(command.help),
      returns: 'text',
      unnamedArgumentList: command.argument
        ? [SlashCommandArgument.fromProps({ description: words(command.argument.help), typeList: [ARGUMENT_TYPE['STRING']], isRequired: command.argument.required })]
        : [],
      namedArgumentList: (command.named ?? []).map(({ name, help }) =>
        SlashCommandNamedArgument.fromProps({ name, description: words(help), typeList: [ARGUMENT_TYPE['STRING']], isRequired: false })),
      // The host passes closures and lists too; only their text is used here.
      callback: async (named: Record<string, unknown>, text: unknown) => {
        const given = Object.fromEntries(Object.entries(named ?? {}).filter(([, value]) => typeof value === 'string')) as Record<string, string>;
        return command.run(typeof text === 'string' ? text : text === undefined ? '' : String(text), given);
      },
    }),
  );
}

/** The menu consists of links with ids; a click on one of ours closes the menu as the host's own do. */
export function addMenuItem(id: string, icon: string, text: string, run: () => void): void {
  const menu = document.querySelector('#options .options-content');
  if (!menu || document.getElementById(id)) return;
  const link = document.createElement('a');
  link.id = id;
  const sign = document.createElement('i');
  sign.className = `fa-lg fa-solid ${icon}`;
  const label = document.createElement('span');
  label.textContent = text;
  link.append(sign, ' ', label);
  link.addEventListener('click', () => {
    const options = document.getElementById('options');
    if (options) options.style.display = 'none';
    run();
  });
  menu.append(link);
}

const NOTE = 'storeyline_note';

/** In the chat at depth 0, as the system: the last thing the model reads before it answers. */
export function setNote(context: HostContext, text: string): void {
  const IN_CHAT = 1;
  const SYSTEM = 0;
  context.setExtensionPrompt(NOTE, text, IN_CHAT, 0, false, SYSTEM);
}
