import { useEffect, useState } from 'react'
import { useText } from '../../locales/text'
import { CheckIcon, CopyIcon } from '../../ui/icons'
import { Status, Unseen } from '../../ui/unseen'
import { useActions } from '../host-context'
import { shortAddress } from '../text'
import styles from './AddressButton.module.css'

/** How long the tick of a copy stands, in ms. */
const copiedFor = 2_000

/** An address, shortened in the middle for the eye, whole for ears and hover; copies itself on a press and says so. */
export function AddressButton({ address }: { readonly address: string }) {
  const t = useText()
  const { notify } = useActions()
  const [copies, setCopies] = useState(0)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), copiedFor)
    return () => clearTimeout(timer)
  }, [copies])

  const copy = async () => {
    const done = await copyText(address)
    if (done) setCopies((count) => count + 1)
    else notify(t('copyFailed'), 'bad')
  }
  return (
    <>
      <button type="button" className={styles.address} title={address} onClick={() => void copy()}>
        <Unseen>
          {t('account.address', { address })}. {t('copy')}
        </Unseen>
        <span aria-hidden="true">{shortAddress(address)}</span>
        {copied ? <CheckIcon small className={styles.done} /> : <CopyIcon small className={styles.copy} />}
      </button>
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}

/** By the Clipboard API where the frame has been given it, else by a selection, which asks nobody. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const write = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', write)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', write)
  }
}
