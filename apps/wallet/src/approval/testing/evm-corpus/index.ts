/**
 * EVM requests that once read milder than they are, with what each must show. Keep every row: a new reader must not lose
 * one.
 */
import { rows as accounts } from './accounts'
import { rows as allowances } from './allowances'
import { rows as batches } from './batches'
import { rows as ends } from './ends'
import { rows as fees } from './fees'
import { rows as messages } from './messages'
import { rows as nestedCalls } from './nested-calls'
import { rows as networks } from './networks'
import { rows as orders } from './orders'
import { rows as recipients } from './recipients'
import type { Row } from './row'
import { rows as simulations } from './simulations'
import { rows as swaps } from './swaps'
import { rows as tokens } from './tokens'
import { rows as wrappedCalls } from './wrapped-calls'

export const rows: readonly Row[] = [
  ...accounts,
  ...allowances,
  ...batches,
  ...ends,
  ...fees,
  ...messages,
  ...nestedCalls,
  ...networks,
  ...orders,
  ...recipients,
  ...simulations,
  ...swaps,
  ...tokens,
  ...wrappedCalls,
]
