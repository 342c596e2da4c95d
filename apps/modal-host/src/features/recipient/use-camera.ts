import { useEffect, useState } from 'react'

/** Whether there is a camera that this frame may ask for: a browser lists none where the page did not let the frame have it. */
export function useCamera(): boolean {
  const [there, setThere] = useState(false)
  useEffect(() => {
    let wanted = true
    // Absent outside of secure contexts, whatever its type says.
    const devices: MediaDevices | undefined = navigator.mediaDevices
    devices?.enumerateDevices?.().then(
      (all) => {
        if (wanted) setThere(all.some(({ kind }) => kind === 'videoinput'))
      },
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [])
  return there
}
