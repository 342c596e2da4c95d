/** Text that UTF-8 can encode: encoders replace half a surrogate pair by other bytes. */
export const wellFormed = /^\P{Cs}*$/u
