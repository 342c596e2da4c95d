import type { Intent, IntentStep, Warning } from './intent'

export type Decoded = Pick<Intent, 'steps' | 'fee' | 'changes' | 'warnings'>

export const unknownChanges = { kind: 'unknown' } as const
export const nothing = { fee: null, changes: unknownChanges, warnings: [] } as const
export const highFee: Warning = { kind: 'highFee' }

export function notDecoded(text: string): Decoded {
  const steps: readonly IntentStep[] = [{ kind: 'message', text, isText: false }]
  return { ...nothing, steps, warnings: [{ kind: 'notDecoded' }] }
}
