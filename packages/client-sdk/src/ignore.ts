/** For what nobody needs to hear of. */
export function ignore(): void {}
