import { dateText } from '@postern/chains/amount-text'
import { FullAddress } from '@postern/ui/full-address'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice, type NoticeTone } from '@postern/ui/notice'
import { originText } from '@postern/ui/origin-text'
import { SiteSentence } from '@postern/ui/site-text'
import type { Intent, Warning } from '../../intent/intent'
import { feeText } from './amount-text'
import styles from './approval.module.css'

const tones: Readonly<Record<Warning['kind'], NoticeTone>> = {
  domainMismatch: 'bad',
  unreadSignIn: 'bad',
  otherAccount: 'bad',
  wouldFail: 'bad',
  derivesKey: 'bad',
  otherNetwork: 'info',
  givesControl: 'bad',
  unlimitedApproval: 'warn',
  coversBalance: 'warn',
  approvesAll: 'bad',
  hiddenApproval: 'bad',
  givesForNothing: 'bad',
  givesAnyItem: 'bad',
  lowMinimum: 'bad',
  everyNetwork: 'warn',
  unknownTotal: 'warn',
  longExpiry: 'warn',
  neverExpires: 'warn',
  unprovenInput: 'bad',
  unusualSighash: 'bad',
  highFee: 'warn',
  unknownFee: 'bad',
  lockedUntil: 'warn',
  unknownContract: 'warn',
  firstTimeRecipient: 'info',
  lookalikeRecipient: 'bad',
  unknownRecipient: 'bad',
  anyoneCanSpend: 'bad',
  mayCarryCollectible: 'warn',
  notDecoded: 'warn',
  amountOrItem: 'warn',
  unreadCode: 'warn',
  otherUri: 'warn',
  tooLong: 'bad',
  signInGrants: 'warn',
  pagePaymaster: 'warn',
  ownFee: 'warn',
  speedUp: 'info',
  cancel: 'info',
}
const order: readonly NoticeTone[] = ['bad', 'warn', 'info']

/** One notice per kind, because it names no address. */
const alike: readonly Warning['kind'][] = ['firstTimeRecipient', 'unknownRecipient', 'unknownContract', 'coversBalance']

export function Warnings({ warnings, fee }: Pick<Intent, 'warnings' | 'fee'>) {
  const t = useText()
  if (warnings.length === 0) return null
  const shown = warnings.filter(
    ({ kind }, at) => !alike.includes(kind) || warnings.findIndex((one) => one.kind === kind) === at,
  )
  const sorted = shown.sort((a, b) => order.indexOf(tones[a.kind]) - order.indexOf(tones[b.kind]))
  return (
    <ul className={styles.warnings} aria-label={t('approve.warnings')}>
      {sorted.map((warning) => (
        <li key={JSON.stringify(warning)}>
          {warning.kind === 'highFee' ? <HighFee fee={fee} /> : <OneWarning warning={warning} />}
        </li>
      ))}
    </ul>
  )
}

function HighFee({ fee }: Pick<Intent, 'fee'>) {
  const t = useText()
  const locale = useLocale()
  const title =
    fee === null || fee === 'unknown'
      ? t('approve.warning.highFee')
      : t('approve.warning.highFeeOf', { amount: feeText(fee.amount, locale) })
  return <Notice tone={tones.highFee} title={title} text={t('approve.warning.highFeeText')} />
}

function OneWarning({ warning }: { readonly warning: Exclude<Warning, { kind: 'highFee' }> }) {
  const t = useText()
  const locale = useLocale()
  const tone = tones[warning.kind]
  switch (warning.kind) {
    case 'domainMismatch':
    case 'otherUri':
      return <OtherSite warning={warning} />
    case 'unreadSignIn':
      return (
        <Notice tone={tone} title={t('approve.warning.domainMismatch')} text={t('approve.warning.unreadSignInText')} />
      )
    case 'otherAccount':
      return (
        <Notice tone={tone} title={t('approve.warning.otherAccount')} text={t('approve.warning.otherAccountText')}>
          <div>
            <FullAddress address={warning.named} />
          </div>
        </Notice>
      )
    case 'amountOrItem':
      return (
        <Notice tone={tone} title={t('approve.warning.amountOrItem')} text={t('approve.warning.amountOrItemText')} />
      )
    case 'unreadCode':
      return <Notice tone={tone} title={t('approve.warning.unreadCode')} text={t('approve.warning.unreadCodeText')} />
    case 'wouldFail':
      return (
        <Notice tone={tone} title={t('approve.warning.wouldFail')} text={<WouldFailText reason={warning.reason} />} />
      )
    case 'givesControl':
      if (warning.to === undefined)
        return (
          <Notice
            tone={tone}
            title={t('approve.warning.mayGiveControl')}
            text={t('approve.warning.mayGiveControlText')}
          />
        )
      return (
        <Notice tone={tone} title={t('approve.warning.givesControl')} text={t('approve.warning.givesControlText')}>
          <div>
            <FullAddress address={warning.to} />
          </div>
        </Notice>
      )
    case 'hiddenApproval':
      return (
        <Notice tone={tone} title={t('approve.warning.hiddenApproval')} text={t('approve.warning.hiddenApprovalText')}>
          <div>
            <FullAddress address={warning.spender} />
          </div>
        </Notice>
      )
    case 'longExpiry': {
      const date = dateText(warning.expiry, locale)
      const text = date === null ? t('approve.warning.neverExpires') : t('approve.warning.longExpiryText', { date })
      return <Notice tone={tone} title={t('approve.warning.longExpiry')} text={text} />
    }
    case 'otherNetwork': {
      const text = (site: (text: string) => string) =>
        t('approve.warning.otherNetworkText', { chainId: site(warning.chainId) })
      return <Notice tone={tone} title={t('approve.warning.otherNetwork')} text={<SiteSentence of={text} />} />
    }
    case 'givesForNothing':
      return <ForNothingNotice warning={warning} />
    case 'unlimitedApproval':
    case 'givesAnyItem':
    case 'lowMinimum':
    case 'everyNetwork':
    case 'derivesKey':
    case 'unknownTotal':
    case 'mayCarryCollectible':
      return <Notice tone={tone} title={t(plain[warning.kind][0])} text={t(plain[warning.kind][1])} />
    case 'approvesAll':
      return <Notice tone={tone} title={t('approve.warning.approvesAll')} text={t('approve.warning.approvesAllText')} />
    case 'unusualSighash':
      return (
        <Notice
          tone={tone}
          title={t('approve.warning.unusualSighash')}
          text={t('approve.warning.unusualSighashText')}
        />
      )
    case 'neverExpires':
    case 'unprovenInput':
    case 'unknownFee':
    case 'lockedUntil':
    case 'coversBalance':
    case 'unknownRecipient':
    case 'anyoneCanSpend':
      return <OpenNotice warning={warning} />
    case 'unknownContract':
      return (
        <Notice
          tone={tone}
          title={t('approve.warning.unknownContract')}
          text={t('approve.warning.unknownContractText')}
        />
      )
    case 'firstTimeRecipient':
      return (
        <Notice
          tone={tone}
          title={t('approve.warning.firstTimeRecipient')}
          text={t('approve.warning.firstTimeRecipientText')}
        />
      )
    case 'lookalikeRecipient':
      return (
        <Notice
          tone={tone}
          title={t('approve.warning.lookalikeRecipient')}
          text={t(warning.isOwn ? 'approve.warning.lookalikeOwnText' : 'approve.warning.lookalikeRecipientText')}
        >
          <div>
            <FullAddress address={warning.earlier} />
          </div>
        </Notice>
      )
    case 'tooLong':
      return (
        <Notice
          tone={tone}
          title={t('approve.warning.tooLong')}
          text={t('approve.warning.tooLongText', { count: warning.more })}
        />
      )
    case 'signInGrants':
      return (
        <Notice tone={tone} title={t('approve.warning.signInGrants')} text={t('approve.warning.signInGrantsText')} />
      )
    case 'pagePaymaster':
      return (
        <Notice tone={tone} title={t('approve.warning.pagePaymaster')} text={t('approve.warning.pagePaymasterText')}>
          <div>
            <FullAddress address={warning.paymaster} />
          </div>
        </Notice>
      )
    case 'speedUp':
    case 'cancel':
    case 'ownFee':
      return <ReplacementNotice warning={warning} />
    case 'notDecoded':
      return <NotDecodedNotice warning={warning} />
  }
}

const plain = {
  unlimitedApproval: ['approve.warning.unlimitedApproval', 'approve.warning.unlimitedApprovalText'],
  givesAnyItem: ['approve.warning.givesAnyItem', 'approve.warning.givesAnyItemText'],
  lowMinimum: ['approve.warning.lowMinimum', 'approve.warning.lowMinimumText'],
  derivesKey: ['approve.warning.derivesKey', 'approve.warning.derivesKeyText'],
  everyNetwork: ['approve.warning.everyNetwork', 'approve.warning.everyNetworkText'],
  unknownTotal: ['approve.warning.unknownTotal', 'approve.warning.unknownTotalText'],
  mayCarryCollectible: ['approve.warning.mayCarryCollectible', 'approve.warning.mayCarryCollectibleText'],
} as const

const forNothing = {
  share: ['approve.warning.givesForLittle', 'approve.warning.givesForLittleText'],
  promise: ['approve.warning.givesForPromise', 'approve.warning.givesForPromiseText'],
  swap: ['approve.warning.givesForNothing', 'approve.warning.swapToOthersText'],
  all: ['approve.warning.givesForNothing', 'approve.warning.givesForNothingText'],
} as const

function ForNothingNotice({ warning }: { readonly warning: Extract<Warning, { kind: 'givesForNothing' }> }) {
  const t = useText()
  const [title, text] = forNothing[warning.of ?? 'all']
  return <Notice tone={tones[warning.kind]} title={t(title)} text={t(text)} />
}

function NotDecodedNotice({ warning }: { readonly warning: Extract<Warning, { kind: 'notDecoded' }> }) {
  const t = useText()
  const tone = tones[warning.kind]
  if (warning.contract === undefined)
    return <Notice tone={tone} title={t('approve.warning.notDecoded')} text={t('approve.warning.notDecodedText')} />
  return (
    <Notice tone={tone} title={t('approve.warning.unreadData')} text={t('approve.warning.unreadDataText')}>
      <div>
        <FullAddress address={warning.contract} />
      </div>
    </Notice>
  )
}

type ReplacementWarning = Extract<Warning, { kind: 'speedUp' | 'cancel' | 'ownFee' }>

function ReplacementNotice({ warning }: { readonly warning: ReplacementWarning }) {
  const t = useText()
  const tone = tones[warning.kind]
  switch (warning.kind) {
    case 'speedUp':
      return <Notice tone={tone} title={t('approve.warning.speedUp')} text={t('approve.warning.speedUpText')} />
    case 'cancel': {
      const text = t(warning.sponsored ? 'approve.warning.cancelSponsoredText' : 'approve.warning.cancelText')
      return <Notice tone={tone} title={t('approve.warning.cancel')} text={text} />
    }
    case 'ownFee':
      return <Notice tone={tone} title={t('approve.warning.ownFee')} text={t('approve.warning.ownFeeText')} />
  }
}

function OtherSite({ warning }: { readonly warning: Extract<Warning, { kind: 'domainMismatch' | 'otherUri' }> }) {
  const t = useText()
  const { kind, origin } = warning
  const of = (site: (text: string) => string) =>
    kind === 'otherUri'
      ? t('approve.warning.otherUriText', { uri: site(warning.uri), origin: site(originText(origin)) })
      : t('approve.warning.domainMismatchText', { domain: site(warning.domain), origin: site(originText(origin)) })
  return (
    <Notice
      tone={tones[kind]}
      title={t(kind === 'otherUri' ? 'approve.warning.otherUri' : 'approve.warning.domainMismatch')}
      text={<SiteSentence of={of} />}
    />
  )
}

/** The reason is the contract's own text. */
function WouldFailText({ reason }: { readonly reason: string | undefined }) {
  const t = useText()
  if (reason === undefined) return t('approve.warning.wouldFailText')
  return <SiteSentence of={(site) => t('approve.warning.wouldFailReason', { reason: site(reason) })} />
}

type OpenWarning = Extract<
  Warning,
  {
    kind:
      | 'neverExpires'
      | 'unprovenInput'
      | 'unknownFee'
      | 'lockedUntil'
      | 'coversBalance'
      | 'unknownRecipient'
      | 'anyoneCanSpend'
  }
>

function OpenNotice({ warning }: { readonly warning: OpenWarning }) {
  const t = useText()
  const locale = useLocale()
  const tone = tones[warning.kind]
  switch (warning.kind) {
    case 'neverExpires':
      return (
        <Notice tone={tone} title={t('approve.warning.neverExpires')} text={t('approve.warning.neverExpiresText')} />
      )
    case 'unprovenInput':
      return (
        <Notice tone={tone} title={t('approve.warning.unprovenInput')} text={t('approve.warning.unprovenInputText')} />
      )
    case 'unknownFee':
      return <Notice tone={tone} title={t('approve.warning.unknownFee')} text={t('approve.warning.unknownFeeText')} />
    case 'lockedUntil': {
      const date = dateText(warning.time, locale) ?? t('fact.never')
      const text = t('approve.warning.lockedUntilText', { date })
      return <Notice tone={tone} title={t('approve.warning.lockedUntil')} text={text} />
    }
    case 'coversBalance':
      return (
        <Notice tone={tone} title={t('approve.warning.coversBalance')} text={t('approve.warning.coversBalanceText')} />
      )
    case 'unknownRecipient': {
      const text = t('approve.warning.unknownRecipientText')
      return <Notice tone={tone} title={t('approve.warning.unknownRecipient')} text={text} />
    }
    case 'anyoneCanSpend': {
      const text = t('approve.warning.anyoneCanSpendText')
      return (
        <Notice tone={tone} title={t('approve.warning.anyoneCanSpend')} text={text}>
          <div>
            <FullAddress address={warning.recipient} />
          </div>
        </Notice>
      )
    }
  }
}
