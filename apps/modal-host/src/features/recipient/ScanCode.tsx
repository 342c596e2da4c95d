import { Button } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { useEffect, useRef, useState } from 'react'
import { readCode } from './read-code'
import styles from './scan-code.module.css'

/** Short enough for a held code, and light on the phone. */
const interval = 200
/** Shorter side of a frame (px): enough for a code at arm's length. */
const resolution = 480

type ScanCodeProps = { readonly onScan: (text: string) => unknown; readonly onCancel: () => void }

/** Frames are decoded locally and sent nowhere. */
export default function ScanCode({ onScan, onCancel }: ScanCodeProps) {
  const t = useText()
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'asking' | 'seeing' | 'denied'>('asking')
  const found = useRef(onScan)
  found.current = onScan
  useEffect(() => {
    const ended = new AbortController()
    watch(video.current, ended.signal, {
      onSeeing: () => setState('seeing'),
      onScan: (text) => void found.current(text),
    }).catch(() => {
      if (!ended.signal.aborted) setState('denied')
    })
    return () => ended.abort()
  }, [])
  return (
    <div className={styles.scan}>
      {state === 'denied' ? (
        <Message
          picture={
            <MessageGlyph tone="warn">
              <CautionIcon />
            </MessageGlyph>
          }
          title={t('scan.denied')}
          text={t('scan.deniedText')}
          live
        />
      ) : (
        <>
          <div className={styles.frame} data-seeing={state === 'seeing' || undefined}>
            <video ref={video} className={styles.video} muted playsInline aria-label={t('scan.camera')} />
          </div>
          <p className={styles.hint} role="status">
            {t('scan.hint')}
          </p>
        </>
      )}
      <Button tone="secondary" onPress={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  )
}

type ScanListener = { readonly onSeeing: () => void; readonly onScan: (text: string) => void }

/** Ends with a code or an abort, and stops the camera. Rejects without a camera or permission. */
async function watch(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  { onSeeing, onScan }: ScanListener,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted || video === null) return stop()
  video.srcObject = stream
  await video.play()
  onSeeing()
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const scanFrame = () => {
    if (signal.aborted || context === null) return
    const { videoWidth: width, videoHeight: height } = video
    const scale = Math.min(resolution / Math.min(width, height), 1)
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    if (canvas.width > 0 && canvas.height > 0) {
      context.drawImage(video, 0, 0, canvas.width, canvas.height)
      const text = readCode(context.getImageData(0, 0, canvas.width, canvas.height))
      if (text !== null) {
        stop()
        return onScan(text)
      }
    }
    setTimeout(scanFrame, interval)
  }
  scanFrame()
}
