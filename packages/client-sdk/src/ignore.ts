/** Ignores a rejection on purpose. */
export function ignore(): void {}
