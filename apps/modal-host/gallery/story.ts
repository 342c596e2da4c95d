import type { TokenBalance } from '@postern/protocol'
import type { ConnectAttempt, HostSnapshot } from '../src/snapshot/contract'
import type { MoneyHost } from '../src/snapshot/money'

export type Directory = 'full' | 'loading' | 'failing' | 'empty'

export type Story = {
  readonly snapshot: HostSnapshot
  /** What is typed before anything is pressed: the field by its place among those of the view, and the text. */
  readonly fill?: readonly (readonly [field: number, text: string])[]
  /** What features stand on, where the ordinary is not enough. */
  readonly money?: () => MoneyHost
  /** Accessible names of buttons, pressed in order. */
  readonly press?: readonly string[]
  readonly type?: string
  /** What pressing a wallet leads to. */
  readonly attempt?: ConnectAttempt
  readonly directory?: Directory
  /** What the account has; an ordinary handful where absent. */
  readonly tokens?: readonly TokenBalance[] | 'failing'
  /** What must be there when the picture is taken. */
  readonly awaits?: RegExp
  /** Accessible name of a button that must have become one to press. */
  readonly ready?: RegExp
  /** Told on a phone: only in settings that are one, and with a phone's user agent. */
  readonly phone?: true
}
