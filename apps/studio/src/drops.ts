import type { Signal } from '@preact/signals';

/** Files may be dropped anywhere on the page while an editor is open: none of them takes the page's place. The answer stops listening. */
export function listenToDrops(editor: { readonly dropping: Signal<boolean>; open(files: readonly File[]): Promise<void> }): () => void {
  const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    editor.dropping.value = true;
  };
  const leave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) editor.dropping.value = false;
  };
  const drop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    editor.dropping.value = false;
    void editor.open([...event.dataTransfer!.files]);
  };
  addEventListener('dragover', over);
  addEventListener('dragleave', leave);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('dragleave', leave);
    removeEventListener('drop', drop);
  };
}
