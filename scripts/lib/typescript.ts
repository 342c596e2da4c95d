/**
 * Path of TypeScript 7's compiler, several times faster than version 6.
 * Both versions bring a program `tsc`, and npm links either one in `node_modules/.bin`.
 */
export const typescript = 'node_modules/typescript-native/bin/tsc'
