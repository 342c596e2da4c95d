/** The state outlives its view, which a wallet prompt may cover. */
import type { ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Host } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { perAccount } from '../../view-kit/loading/per-host'
import { refreshNames } from './refresh-names'
import { type Registration, registerName } from './register'

export type NameForm = {
  readonly typed: string
  readonly attempt:
    | { readonly kind: 'none' }
    | { readonly kind: 'asking'; readonly name: string }
    | { readonly kind: 'failed'; readonly name: string; readonly code: ErrorCode; readonly message: string }
    | { readonly kind: 'done'; readonly name: string; readonly address: string }
}

const empty: NameForm = { typed: '', attempt: { kind: 'none' } }

const formOf = perAccount(() => createStore<NameForm>(() => empty))

export function nameFormOf(host: Host, address: string | null): StoreApi<NameForm> {
  return formOf(host, address === null ? null : { namespace: 'eip155', address })
}

/** Ignored while the user is asked. */
export function setTyped(form: StoreApi<NameForm>, typed: string): void {
  if (form.getState().attempt.kind !== 'asking') form.setState({ typed, attempt: { kind: 'none' } })
}

export function resetForm(form: StoreApi<NameForm>): void {
  form.setState(empty)
}

/** Never rejects: the form has the result. Ignored while pending. */
export async function register(
  host: Host,
  registration: Registration,
  money: Pick<MoneyHost, 'request' | 'api' | 'clock' | 'kept'>,
): Promise<void> {
  const { name, address } = registration
  const form = nameFormOf(host, address)
  if (form.getState().attempt.kind === 'asking') return
  form.setState({ attempt: { kind: 'asking', name } })
  try {
    await registerName(registration, money)
    form.setState({ typed: '', attempt: { kind: 'done', name, address } })
  } catch (thrown) {
    const { code, message } = asFailure(thrown)
    form.setState({ attempt: { kind: 'failed', name, code, message } })
  }
  await refreshNames(host, money, address)
}
