/** The description of each setting, by section and name. Empty: the table of settings has the English ones, for the command line too. */
export const english: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
