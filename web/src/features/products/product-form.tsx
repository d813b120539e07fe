import { Textarea, TextInput } from '@mantine/core';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import type { ProductView } from '#contracts';
import { refusalOf, type Failure } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import { useChangeProductMutation, useCreateProductMutation } from './api';
import { bodyOf, fieldsOf, imageFields, noProduct, textFields, type Fields, type ImageField } from './fields';
import { ImageInput } from './image-input';
import { useImages } from './use-images';

const FAILED = { upload: 'Error uploading product', change: 'Something went wrong.' } as const;
const RECOMMENDED_MAX = 12;

const names = [...textFields, ...imageFields].map(([name]) => name);

/** Says why a product was not taken, at its field where it is about one. */
function tell(error: Failure, failed: string, { setError }: UseFormReturn<Fields>): void {
  tellRefusal(refusalOf(error, { failed, codes: { amount_invalid: 'amount' }, fields: names }), setError);
}

/** Uploads a product. */
export function UploadProduct({ onDone }: { readonly onDone?: () => void }) {
  const [create] = useCreateProductMutation();
  const key = useKey();
  const form = useForm<Fields>({ defaultValues: noProduct });
  const send = async (fields: Fields) => {
    const body = bodyOf(fields);
    const { error } = await create({ ...body, idempotencyKey: key.of(body) });
    if (error !== undefined) {
      tell(error, FAILED.upload, form);
      return;
    }
    key.done();
    form.reset(noProduct);
    notifySuccess('Product uploaded successfully!');
    onDone?.();
  };
  return <ProductFields form={form} label="Upload product" submit="Upload product" send={send} />;
}

type ChangeProps = { readonly product: ProductView; readonly onDone: () => void };

/** Changes a product. */
export function ChangeProduct({ product, onDone }: ChangeProps) {
  const [change] = useChangeProductMutation();
  const key = useKey();
  const form = useForm<Fields>({ defaultValues: fieldsOf(product) });
  const send = async (fields: Fields) => {
    const body = bodyOf(fields);
    const { error } = await change({ productId: product.id, ...body, idempotencyKey: key.of(body) });
    if (error !== undefined) {
      tell(error, FAILED.change, form);
      return;
    }
    key.done();
    notifySuccess('Product updated successfully!');
    onDone();
  };
  return <ProductFields form={form} label="Edit product" submit="Save changes" send={send} />;
}

type FieldsProps = {
  readonly form: UseFormReturn<Fields>;
  readonly label: string;
  readonly submit: string;
  readonly send: (fields: Fields) => Promise<void>;
};

function ProductFields({ form, label, submit, send }: FieldsProps) {
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const images = useImages<ImageField | 'recommendedImages'>();
  const check = handleSubmit(async (fields) => {
    const missing = imageFields.filter(([name]) => fields[name] === null);
    for (const [name, what] of missing) form.setError(name, { message: `${what} is required` });
    if (missing.length === 0) await send(fields);
  });
  return (
    <Form label={label} onSubmit={check}>
      {textFields.map(([name, what]) => {
        const Field = name === 'description' ? Textarea : TextInput;
        return (
          <Field
            key={name}
            label={name === 'amount' ? 'Amount, USD' : what}
            {...(name === 'description' && { rows: 4 })}
            {...(name === 'amount' && { inputMode: 'decimal' as const, autoComplete: 'off' })}
            error={errors[name]?.message}
            {...register(name, { validate: (text) => text.trim() !== '' || `${what} is required` })}
          />
        );
      })}
      <Images form={form} images={images} />
      <FormActs submit={submit} busy={isSubmitting} disabled={images.busy !== undefined} />
    </Form>
  );
}

type ImagesProps = {
  readonly form: UseFormReturn<Fields>;
  readonly images: ReturnType<typeof useImages<ImageField | 'recommendedImages'>>;
};

function Images({
  form: { control, formState, setValue, clearErrors },
  images: { upload, busy },
}: ImagesProps) {
  const { image, ownerImage, recommendedImages = [] } = useWatch({ control });
  const chosen = { image, ownerImage };
  const recommended = recommendedImages as Fields['recommendedImages'];
  return (
    <>
      {imageFields.map(([name, what]) => {
        const one = chosen[name] as Fields[ImageField] | undefined;
        return (
          <ImageInput
            key={name}
            label={what}
            images={one ? [one] : []}
            busy={busy === name}
            error={formState.errors[name]?.message}
            onChoose={(files) =>
              void upload(name, files.slice(0, 1), 'product').then(([uploaded]) => {
                if (uploaded === undefined) return;
                setValue(name, uploaded);
                clearErrors(name);
              })
            }
          />
        );
      })}
      <ImageInput
        label="Recommended images"
        many
        images={recommended}
        busy={busy === 'recommendedImages'}
        onChoose={(files) =>
          void upload(
            'recommendedImages',
            files.slice(0, RECOMMENDED_MAX - recommended.length),
            'recommended',
          ).then((uploaded) => setValue('recommendedImages', [...recommended, ...uploaded]))
        }
        onRemove={({ fileId }) =>
          setValue(
            'recommendedImages',
            recommended.filter((one) => one.fileId !== fileId),
          )
        }
      />
    </>
  );
}
