/** EVM chain ids (spec §9). */
export const swapChainIds: readonly number[] = [1, 10, 56, 100, 137, 250, 324, 8453, 8217, 42161, 43114, 1313161554]

/** Signs before the amount (spec §9). */
export const operationSigns: ReadonlyMap<string, '+' | '-'> = new Map([
  ['receive', '+'],
  ['deposit', '+'],
  ['borrow', '+'],
  ['claim', '+'],
  ['withdraw', '-'],
  ['repay', '-'],
  ['burn', '-'],
])
