import type { Host } from '../../snapshot/contract'
import type { MoneyHost } from '../../snapshot/money'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { forgetIdentity } from '../identity/load-identity'
import { forgetOwnNames } from './own-names'

export async function refreshNames(host: Host, money: Pick<MoneyHost, 'kept'>, address: string): Promise<void> {
  forgetIdentity(money, address)
  forgetOwnNames(money, address)
  const queries = queryClientOf(host)
  await Promise.all(['identity', 'names'].map((first) => queries.invalidateQueries({ queryKey: [first] })))
}
