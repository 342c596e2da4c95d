import type { Clock } from '@postern/base/clock'
import { classifyRpcMethod, factsOfMethod } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import { numberToHex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext, WalletChain } from '../../contract'
import type { Notes } from '../notes'
import { accountsOf, chooseAccount, listAccounts } from './account/accounts'
import { bundlerOf, chainOf } from './endpoints/endpoints'
import { executeMessage, executeTypedData, prepareMessage, prepareTypedData } from './messages/message'
import { findOperation } from './operations/outcome'
import {
  executeOperationReplacement,
  isOperationReplacement,
  prepareOperationReplacement,
  waitingOperations,
} from './operations/replace'
import { executeOperation } from './operations/user-operation'
import { walletAssets } from './requests/assets'
import { callsStatus } from './requests/calls-status'
import { capabilities } from './requests/capabilities'
import { executePermissions, prepareGrant, prepareRevoke } from './requests/permissions'
import { executeCalls, prepareCalls } from './requests/send-calls'
import { prepareSendTransaction, prepareSendUserOperation, waitForOperation } from './requests/send-transaction'
import { createState } from './sent/state'
import { smartAccountJson } from './smart-account-json'
import { executeReplacement, isReplacement, prepareReplacement, waitingTransactions } from './transactions/replace'
import { executeTransaction } from './transactions/transaction'

const Params = z._default(z.array(z.unknown()), [])

/**
 * The embedded wallet on EVM networks: the plain account at m/44'/60'/0'/0/0, and its smart account.
 *
 * 1. Only these two accounts sign, by default the active one. Any other is UNAUTHORIZED.
 * 2. A subject does not change after `prepare`, and `execute` rejects an inconsistent one.
 * 3. A method outside the tables is rejected.
 *
 * `notes` stores what was sent (`sent.ts`), by default in memory.
 */
export function createEip155Chain(notes?: Notes, clock?: Pick<Clock, 'now'>): WalletChain {
  const state = createState(notes, clock)

  return {
    async answer(method, params, context) {
      const accounts = accountsOf(context)
      switch (method) {
        case 'eth_accounts':
          return listAccounts(accounts)
        case 'eth_chainId':
          return numberToHex(accounts.chainId)
        case 'wallet_getCapabilities':
          return capabilities(params, accounts, context)
        case 'wallet_getCallsStatus':
          return callsStatus(params, accounts, context, state)
        case 'wallet_getAssets':
          return walletAssets(params, accounts, context)
        case 'eth_getUserOperationByHash':
        case 'eth_getUserOperationReceipt':
          return findOperation(method, params, accounts, context, state.sent)
      }
      if (!method.startsWith('eth_') || classifyRpcMethod(method) !== 'safe') throw new Failure('RPC_NOT_ALLOWED')
      const parsed = parseParams(Params, params ?? undefined)
      const ask = factsOfMethod(method)?.bundler !== undefined ? bundlerOf(context) : chainOf(context)
      return ask(method, parsed, z.unknown())
    },

    async prepare(method, params, context) {
      const accounts = accountsOf(context)
      switch (method) {
        case 'personal_sign':
          return prepareMessage(params, accounts, context)
        case 'eth_signTypedData_v4':
          return prepareTypedData(params, accounts)
        case 'eth_sendTransaction':
          return { subject: await prepareSendTransaction(params, accounts, context, state) }
        case 'eth_sendUserOperation':
          return { subject: await prepareSendUserOperation(params, accounts, context, state) }
        case 'wallet_sendCalls':
          return prepareCalls(params, accounts, context, state)
        case 'wallet_grantPermissions':
          return prepareGrant(params, accounts, context, state)
        case 'wallet_revokePermissions':
          return prepareRevoke(params, accounts, context, state)
        default:
          throw new Failure('UNSUPPORTED_METHOD')
      }
    },

    smartAccountJson,

    async waiting(context) {
      const accounts = accountsOf(context)
      const [operations, transactions] = await Promise.all([
        waitingOperations(accounts, context, state.sent),
        waitingTransactions(accounts, context, state.sent),
      ])
      return [...operations, ...transactions]
    },
    async prepareReplacement(replacement, context) {
      const accounts = accountsOf(context)
      const { chainId, smart } = accounts
      const isOperation =
        smart !== null && (await state.sent.find({ chainId, account: smart }, replacement.hash)) !== null
      return isOperation
        ? {
            method: 'eth_sendUserOperation',
            subject: await prepareOperationReplacement(replacement, accounts, context, state),
          }
        : {
            method: 'eth_sendTransaction',
            subject: await prepareReplacement(replacement, accounts, context, state),
          }
    },

    async execute(method, subject, context) {
      const accounts = accountsOf(context)
      switch (subject.kind) {
        case 'eip155.message':
          return executeMessage(subject, accounts, context)
        case 'eip155.typedData':
          return executeTypedData(subject, accounts, context)
        case 'eip155.transaction':
          requireOwn(subject.from, context)
          return isReplacement(subject)
            ? executeReplacement(subject, accounts, context, state)
            : executeTransaction(subject, accounts, context, state.sent)
        case 'eip155.transactions':
          requireOwn(subject.from, context)
          return executeCalls(subject, accounts, context, state)
        case 'eip155.userOperation': {
          if (isOperationReplacement(subject)) return executeOperationReplacement(subject, accounts, context, state)
          if (method === 'wallet_sendCalls') return executeCalls(subject, accounts, context, state)
          const hash = await executeOperation(subject, accounts, context, state.sent)
          if (method === 'eth_sendTransaction') return waitForOperation(subject, accounts, context, state.sent)
          await state.sent.followed(hash)
          return hash
        }
        case 'eip155.permissions':
          return executePermissions(subject, accounts, context, state)
        default:
          throw new Failure('INTERNAL')
      }
    },
  }
}

function requireOwn(from: string, context: ChainContext): void {
  if (chooseAccount(accountsOf(context), from).type !== 'eoa') throw new Failure('UNAUTHORIZED')
}
