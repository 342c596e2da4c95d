import type { TokenBalance } from '@postern/protocol'
import type { ConnectAttempt, HostSnapshot } from '../../src/snapshot/contract'
import type { MoneyHost } from '../../src/snapshot/money'
import type { DrawnFixture } from '../fixtures/approvals'

export type Directory = 'full' | 'loading' | 'failing' | 'empty'

export type Story = {
  readonly snapshot: HostSnapshot
  /** Typed first, by field index in the view. */
  readonly fill?: readonly (readonly [field: number, text: string])[]
  readonly money?: () => MoneyHost
  readonly press?: readonly string[]
  readonly type?: string
  readonly attempt?: ConnectAttempt
  readonly directory?: Directory
  readonly tokens?: readonly TokenBalance[] | 'failing'
  readonly awaits?: RegExp
  /** What the wallet's frame draws over the view. */
  readonly drawn?: DrawnFixture
  /** Button that must be enabled. */
  readonly ready?: RegExp
  /** Only phone-sized settings, with a phone's user agent. */
  readonly phone?: true
}
