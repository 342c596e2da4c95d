/** Text with a UTF-8 form. For half a surrogate pair, an encoder writes other bytes than meant. */
export const wellFormed = /^\P{Cs}*$/u
