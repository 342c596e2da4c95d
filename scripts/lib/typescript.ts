/**
 * Path of TypeScript 7's compiler, several times faster than 6. Named by its file: both versions bring a program called
 * `tsc`, and npm links either one in `node_modules/.bin`.
 */
export const typescript = 'node_modules/typescript-native/bin/tsc'
