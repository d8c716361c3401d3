// Sentences of the dialog that fills an editor, in both languages.
const zh = { fill: '填入编辑器', strip: '移除 MVU 元数据（只留下变量）', hint: '只填入编辑器，还不会保存。' };
const en: typeof zh = { fill: 'Fill the editor', strip: 'Strip MVU metadata (keep only the variables)', hint: 'This only fills the editor. Nothing is saved yet.' };

export const FILL = { zh, en };
