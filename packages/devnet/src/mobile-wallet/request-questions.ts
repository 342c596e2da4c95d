/** Asks the owner about requests of connected dapps, and answers them. */

import { invalidParams, toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import { isCaipNetworkId } from '@postern/protocol'
import type { WalletKitTypes } from '@reown/walletkit'
import type { Received, Task } from './contract'
import { accountOn, namespaceOf } from './grants'
import type { Kit } from './kit'
import { mobileNamespaces } from './namespaces'
import { addTask, type NetworkTaskContext, switchTask } from './network-tasks'
import type { Questions } from './questions'
import { refusals } from './refusals'
import { sessionsOf } from './sessions'

/** @returns a function that takes a session's request */
export function createRequestQuestions({
  kit,
  ask,
  account,
  networkTasks,
  onReceived,
  onFailure,
}: {
  readonly kit: Kit
  readonly ask: Questions['ask']
  readonly account: () => number
  readonly networkTasks: NetworkTaskContext
  readonly onReceived: (request: Received) => void
  readonly onFailure: (cause: unknown) => void
}): (event: WalletKitTypes.SessionRequest) => Promise<void> {
  return async function request({ id, topic, params }: WalletKitTypes.SessionRequest) {
    const { chainId, request } = params
    const method: string = request.method
    const requestParams: unknown = request.params
    onReceived({ id, topic, chainId, method, params: requestParams })
    const fails = (error: { readonly code: number; readonly message: string }) =>
      kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error } })
    const refuse = (cause: unknown) => {
      const { code, message } = toProviderRpcError(cause)
      return fails({ code, message })
    }
    try {
      const task = await taskOf(chainId, method, requestParams, topic)
      const session = kit.getActiveSessions()[topic]
      if (session === undefined) return
      ask({
        id,
        kind: 'request',
        dapp: session.peer.metadata,
        title: task.title,
        rows: [...task.rows, { label: 'Network', value: networkTasks.networkOf(chainId)?.name ?? chainId }],
        raw: task.raw,
        async yes() {
          try {
            const result = await task.run()
            await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } })
          } catch (cause) {
            onFailure(cause)
            await refuse(cause)
          }
        },
        no: () => fails(refusals.rejected),
      })
    } catch (cause) {
      await refuse(cause)
    }
  }

  async function taskOf(chainId: string, method: string, params: unknown, topic: string): Promise<Task> {
    if (!isCaipNetworkId(chainId)) throw invalidParams(`${chainId} is not a network.`)
    if (method === 'wallet_switchEthereumChain') return switchTask(params, networkTasks)
    if (method === 'wallet_addEthereumChain') return addTask(params, networkTasks)
    const context = {
      chainId,
      account: accountOf(topic),
      url: networkTasks.networkOf(chainId)?.url,
      fetch: networkTasks.fetch,
    }
    return mobileNamespaces[namespaceOf(chainId)].task(method, params, context)
  }
  /** May differ from the owner's selection until an update arrives. */
  function accountOf(topic: string): number {
    const accounts = sessionsOf(kit).find((session) => session.topic === topic)?.accounts ?? []
    const [first] = accounts
    if (first === undefined) return account()
    const chain = first.slice(0, first.lastIndexOf(':'))
    const index = Array.from({ length: 10 }, (_, each) => each).find((each) => accountOn(chain, each) === first)
    return index ?? account()
  }
}
