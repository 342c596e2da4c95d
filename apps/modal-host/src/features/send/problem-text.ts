import { exactUnits } from '@postern/chains/format'
import { errors, type Network } from '@postern/protocol'
import { useLocale, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { useErrorMessage } from '../../view-kit/messages/error-message'
import type { SendProblem } from './check'
import type { SendToken } from './token'

/** The catalogue's if spec §8 has one. */
export function useProblemText(token: SendToken, network: Network): (problem: SendProblem) => string {
  const t = useText()
  const locale = useLocale()
  const errorMessage = useErrorMessage()
  const symbol = plainText(token.symbol, 12)
  return (problem) => {
    if ('code' in problem) return errorMessage(problem.code, errors[problem.code].message)
    switch (problem.kind) {
      case 'balance':
        return t('send.problem.balance', { symbol })
      case 'fee': {
        const { decimals, symbol: native } = network.nativeCurrency
        if (problem.needed === 0n) return t('send.problem.feeLeft', { symbol })
        return t('send.problem.fee', {
          amount: formatDecimal(exactUnits(problem.needed, decimals), locale),
          symbol: native,
        })
      }
      case 'min':
        return t('send.problem.least', {
          amount: formatDecimal(exactUnits(problem.min, token.decimals), locale),
          symbol,
        })
      case 'tokenAccount':
        return t('send.problem.tokenAccount')
      case 'program':
        return t('send.problem.program')
      case 'tokenContract':
        return t('send.problem.tokenContract')
      case 'theirFrozen':
        return t('send.problem.theirFrozen', { symbol })
      case 'newFrozen':
        return t('send.problem.newFrozen', { symbol })
      case 'memo':
        return t('send.problem.memo', { symbol })
      case 'confidential':
        return t('send.problem.confidential', { symbol })
      case 'nonTransferable':
        return t('send.problem.nonTransferable', { symbol })
      case 'transferHook':
        return t('send.problem.transferHook', { symbol })
      case 'paused':
        return t('send.problem.paused', { symbol })
      case 'frozen':
        return t('send.problem.frozen', { symbol })
      case 'unreadable':
        return t('send.problem.unreadable', { symbol })
    }
  }
}
