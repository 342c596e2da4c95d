import { Checkbox } from '@postern/ui/checkbox'
import { ExternalIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Unseen } from '@postern/ui/unseen'
import { useEffect, useRef } from 'react'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import styles from './legal-checkbox.module.css'

/** Required by the dapp (spec §1): the methods to connect are inert until it is ticked. */
export default function LegalCheckbox() {
  const t = useText()
  const { acceptLegal } = useActions()
  const legal = useSnapshot((snapshot) => snapshot.legal)
  const app = useSnapshot(({ metadata }) => metadata?.name)
  const place = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  usePointedAt(place, box)
  if (legal === null) return null
  const { termsUrl, privacyUrl, accepted } = legal
  const which = termsUrl === null ? 'privacy' : privacyUrl === null ? 'terms' : 'both'
  return (
    <div ref={place} className={styles.legal}>
      <Checkbox ref={box} checked={accepted} onChange={acceptLegal}>
        {t('legal.accept', { which, app: plainText(app ?? '', 40) || t('unsupported.app') })}
      </Checkbox>
      <p className={styles.links}>
        {termsUrl !== null && <Link href={termsUrl} text={t('legal.terms')} />}
        {privacyUrl !== null && <Link href={privacyUrl} text={t('legal.privacy')} />}
      </p>
    </div>
  )
}

function Link({ href, text }: { readonly href: string; readonly text: string }) {
  const t = useText()
  return (
    <a className={styles.link} href={href} target="_blank" rel="noopener noreferrer">
      {text}
      <ExternalIcon small />
      <Unseen>({t('opensInNewTab')})</Unseen>
    </a>
  )
}

/** A press on the inert part points at the missing tick. */
function usePointedAt(
  place: { readonly current: HTMLElement | null },
  box: { readonly current: HTMLInputElement | null },
): void {
  useEffect(() => {
    const around = place.current?.parentElement
    const point = (event: MouseEvent) => {
      const [own, input] = [place.current, box.current]
      if (event.target !== around || own === null || input === null || input.checked) return
      input.focus()
      delete own.dataset.missing
      // Forces a reflow, which restarts the animation.
      void own.offsetWidth
      own.dataset.missing = ''
    }
    around?.addEventListener('click', point)
    return () => around?.removeEventListener('click', point)
  }, [place, box])
}
