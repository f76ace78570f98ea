/** A word of a command for a POSIX shell: a branch name can contain characters that the shell interprets. */
export const shellWord = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
