// The page to which a seller leads back: its window was opened by the modal, which goes on by itself.
window.close()
