import type { Account } from '@postern/protocol'
import { useText } from '../../locales/text'
import { CheckIcon, CopyIcon } from '../../ui/icons'
import { Row, RowGlyph } from '../../ui/row'
import { Status, Unseen } from '../../ui/unseen'
import { shortAddress } from '../text'
import { useCopy } from '../use-copy'
import styles from './AddressButton.module.css'

/** An address, shortened in the middle for the eye, whole for ears and hover; copies itself on a press and says so. */
export function AddressButton({ account }: { readonly account: Account }) {
  const t = useText()
  const { address, type } = account
  const { copied, copy } = useCopy(t('copyFailed'))
  return (
    <>
      <button type="button" className={styles.address} title={address} onClick={() => copy(address)}>
        <Unseen>
          {t('account.address', { address })}. {t('copy')}
        </Unseen>
        {type === 'payment' && <span className={styles.kind}>{t('account.payments')}</span>}
        <span aria-hidden="true">{shortAddress(address)}</span>
        <CopyMark copied={copied} />
      </button>
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}

/** A second address of the same account, in a row: that for ordinals, which no payment should go to. */
export function OrdinalsRow({ address }: { readonly address: string }) {
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  return (
    <>
      <Row
        icon={
          <RowGlyph>
            <CopyMark copied={copied} />
          </RowGlyph>
        }
        title={t('account.ordinals')}
        trailing={
          <>
            <bdi aria-hidden="true" title={address}>
              {shortAddress(address)}
            </bdi>
            <Unseen>
              {t('account.ordinalsAddress', { address })}. {t('copy')}
            </Unseen>
          </>
        }
        onPress={() => copy(address)}
      />
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}

function CopyMark({ copied }: { readonly copied: boolean }) {
  return copied ? <CheckIcon small className={styles.done} /> : <CopyIcon small className={styles.copy} />
}
